import { readFileSync } from 'node:fs'
import { canonicalTool } from '@statewright/core/internal'
import { describe, expect, test } from 'vitest'
import { analyzeShell } from '../../packages/core/src/shell/analyze.ts'
import { judgeShell } from '../../packages/core/src/shell/judge.ts'
import { openRules } from '../../packages/core/src/shell/open-rules.test-kit.ts'
import { installers } from '../../packages/server/src/client-settings/installers.ts'
import { canaryBody } from '../../packages/server/src/clients/canary.ts'
import { codingClients } from '../../packages/server/src/clients/coding-clients.ts'
import { homePrograms, homeSettings } from '../../packages/server/src/guard/protect/path-lists.ts'
import { doorNames } from '../doors/table.ts'

/** What stands elsewhere and names each client: whoever adds one is told here what is missing. */
const textOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

const hookCommand = textOf('packages/server/bin/hook.cjs')
const everyClient = [...codingClients.values()]

function codes(command: string): readonly string[] {
  return judgeShell(analyzeShell(command), { ...openRules, guarded: true }).reasons.map(
    ({ code }) => code,
  )
}

describe.each(everyClient)('of $name', (client) => {
  test('the canary is read as a write', () => {
    const parsed = client.parse(canaryBody(client.name, 's', '/srv/shop'))
    if (!parsed.ok) throw new Error(parsed.error.message)
    const { event, ...call } = parsed.value
    expect(call).toMatchObject({ session: 's', cwd: '/srv/shop' })
    if (event.type !== 'tool_requested') throw new Error(`it is read as ${event.type}`)
    expect(canonicalTool(event.tool)).toBe('Write')
  })

  test('the hook command knows which events only report', () => {
    const set = /const telling = new Set\(\[(.*?)\]\)/s.exec(hookCommand)
    const telling = [...(set?.[1] ?? '').matchAll(/'(\w+)'/g)].map(([, name]) => name)
    const { asks, reports } = client.hookEvents ?? { asks: [], reports: [] }
    expect(reports.filter((name) => !telling.includes(name))).toEqual([])
    expect(asks.filter((name) => telling.includes(name))).toEqual([])
  })

  test.runIf(client.hookEvents)('the hook command reads the folder and the session', () => {
    const names = /const \{([^}]*)\} = hook\n/.exec(hookCommand)?.[1] ?? ''
    const read = names.split(',').map((name) => name.trim().split(':')[0] ?? '')
    const known = Object.entries(canaryBody(client.name, 'a session', 'a folder'))
      .filter(([name]) => read.includes(name))
      .map(([, value]) => value)
    expect(known).toEqual(expect.arrayContaining(['a folder', 'a session']))
  })

  test('there is an installer, and a column in the table of all ways in', () => {
    expect(installers.get(client.name)?.client).toBe(client.name)
    expect(doorNames).toContain(client.name)
  })

  test('an agent can change neither the settings nor the program', () => {
    expect(homeSettings).toEqual(expect.arrayContaining([...client.folders]))
    expect(homePrograms).toContain(`.local/bin/${client.program}`)
  })

  test('an agent can neither start nor end the program', () => {
    expect(codes(`${client.program} -p x`)).toContain('agent_spawn')
    expect(codes(`pkill ${client.program}`)).toContain('self_protection')
  })

  test.each(['docs/guide/clients.md', 'docs/spec/surface.md'])('%s names it', (path) => {
    expect(textOf(path).includes(client.name)).toBe(true)
  })
})

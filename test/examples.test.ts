import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { finished, patience, stopped, Testbed } from '../packages/server/testing/testbed.ts'

const folder = fileURLToPath(new URL('../examples/', import.meta.url))
const testbed = new Testbed()
afterAll(() => testbed.close())

function run(file: string, more: Readonly<Record<string, string>> = {}, args: string[] = []) {
  const env = testbed.environment(more)
  return finished(spawn(process.execPath, [`${folder}${file}`, ...args], { env }))
}

const stories: Readonly<Record<string, () => Promise<void>>> = {
  'embedded.ts': async () => {
    const { exit, out } = await run('embedded.ts')
    expect(exit).toBe(0)
    expect(out).toMatch(/^deny tool_not_allowed: Edit may not be used in planning\./)
    expect(out).toContain('\nallow\nPhase: fixing. Tools: Read, Edit.\n')
  },
  'ai-sdk.ts': async () => {
    const { exit, out } = await run('ai-sdk.ts')
    expect(exit).toBe(0)
    expect(out).toContain('write_file: ToolDenied: tool_not_allowed')
    expect(out).toContain('read_file: the text of a.ts')
    expect(out).toContain('files written: 0')
  },
  'pure-core.ts': async () => {
    const { exit, out } = await run('pure-core.ts')
    expect([exit, out.trim().split('\n')]).toEqual([
      0,
      [
        'git log -3: allow',
        'rm -rf build: deny shell_write',
        'grep x a.ts > hits.txt: deny shell_write',
      ],
    ])
  },
  'on-a-server.ts': async () => {
    const { ready, child } = await testbed.up('--test-person')
    const person = { STATEWRIGHT_TOKEN: ready.person_token ?? '', STATEWRIGHT_URL: ready.url }
    await testbed.hosted(['workflow', 'new', 'review-only'])
    await testbed.hosted(['workflow', 'push', 'statewright/review-only.yaml'], person)
    const { exit, out } = await run('on-a-server.ts', person, ['review-only'])
    const unknown = await run('on-a-server.ts', person, ['nothing'])
    await stopped(child, 'SIGTERM')
    expect(exit).toBe(0)
    expect(out).toMatch(/is in reading; allowed: Read, Grep, Glob, Bash, WebFetch\ndeny tool_not/)
    expect([unknown.exit, unknown.talk.split(':')[0]]).toEqual([3, 'unknown_workflow'])
  },
}

describe('examples', () => {
  test('each has a story here', () => {
    const programs = readdirSync(folder).filter((file) => file.endsWith('.ts'))
    const files = programs.filter((file) => file !== 'played-model.ts')
    expect(files.sort()).toEqual(Object.keys(stories).sort())
  })

  test.each(Object.entries(stories))('%s runs as it says', patience, async (_, story) => story())
})

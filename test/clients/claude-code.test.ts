import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ChildResult } from '../../packages/server/testing/child.ts'
import { claude } from './claude-client.ts'
import { clientSuite } from './client-suite.ts'
import { done, driveClient, limits } from './drive-client.ts'

const isTried = clientSuite(claude, true)
const { read, transition } = claude

interface HookReport {
  readonly hook_event: string
  readonly outcome: string
}

/** How the client says its hooks went, from its own stream. */
function hookReports({ stdout }: ChildResult): HookReport[] {
  return stdout
    .split('\n')
    .filter((line) => line.includes('"hook_response"'))
    .map((line) => JSON.parse(line))
}

describe.skipIf(!isTried)('the hooks of Claude Code', limits, () => {
  const { inWork, inHome, write, install, play, received } = driveClient(claude)
  beforeAll(install, limits.timeout)

  test('WF-13: all go well, and tell the tools of the state', async () => {
    const reports = hookReports(await play([[read(inWork('x'))], done]))
    expect(reports.map((one) => one.hook_event)).toContain('SessionStart')
    expect(reports.filter((one) => one.outcome !== 'success')).toEqual([])
    expect(received(0)).toContain('[STATEWRIGHT] Phase: planning. Tools: Read, Grep.')
  })

  test('go on holding the session when they are switched off in the settings', async () => {
    const files = [inWork('.claude/settings.local.json'), inHome('.claude/settings.json')]
    await play([
      [read(inWork('x'))],
      async () => {
        mkdirSync(inWork('.claude'), { recursive: true })
        for (const file of files) writeFileSync(file, JSON.stringify({ disableAllHooks: true }))
        // The client looks at its settings again within two seconds.
        await new Promise((resolve) => setTimeout(resolve, 4000))
        return [write('off.txt')]
      },
      done,
    ])
    expect(existsSync(inWork('off.txt'))).toBe(false)
  })
})

describe.skipIf(!isTried)('Claude Code in a project', limits, () => {
  const { guarded, inWork, inHome, write, play, received } = driveClient(claude)
  const command = async (word: 'install' | 'uninstall', scope: '--user' | '--project') => {
    const { code, stderr } = await guarded().command([word, 'claude-code', scope, '--yes'])
    return `${code}\n${stderr}`
  }
  /** One file is refused, then the transition opens the other: what holding a client means. */
  const expectHeld = async () => {
    for (const name of ['early.txt', 'late.txt']) rmSync(inWork(name), { force: true })
    await play([[write('early.txt')], [transition('READY')], [write('late.txt')], done])
    expect(existsSync(inWork('early.txt'))).toBe(false)
    expect(readFileSync(inWork('late.txt'), 'utf8')).toBe('written\n')
  }

  test('is held by itself, and a second installation is refused', async () => {
    expect(await command('install', '--project')).toMatch(/^0\n/)
    await expectHeld()
    expect(await command('install', '--user')).toMatch(/^2\nusage: It is already installed/)
    // Once more for the same project replaces what is there.
    expect(await command('install', '--project')).toMatch(/^0\n/)
    await expectHeld()
  })

  test('no answer means no: a key that was revoked writes nothing', async () => {
    const { server } = guarded()
    await play([
      [transition('READY')],
      async () => {
        const { value } = await server.ask('GET', '/api/tokens')
        const { tokens } = value as { tokens: { id: string; kind: string }[] } // The wire's shape.
        for (const { id, kind } of tokens) {
          if (kind === 'agent') await server.ask('DELETE', `/api/tokens/${id}`)
        }
        return [write('revoked.txt')]
      },
      done,
    ])
    expect(existsSync(inWork('revoked.txt'))).toBe(false)
    expect(received(2)).toContain('does not know the key of this hook')
  })

  test('is let go by uninstall, which leaves nothing behind', async () => {
    expect(await command('uninstall', '--project')).toMatch(/^0\n/)
    expect(existsSync(inWork('.claude'))).toBe(false)
    await play([[write('free.txt')], done])
    expect(existsSync(inWork('free.txt'))).toBe(true)
    expect(await command('install', '--user')).toMatch(/^0\n/)
    expect(readFileSync(inHome('.claude/settings.json'), 'utf8')).toContain('hook.cjs')
    const taken = await command('uninstall', '--user')
    expect(taken).toMatch(/^0\n/)
    expect(taken).not.toContain('still counts')
    expect(await command('uninstall', '--user')).toMatch(/^4\nnot_found/)
  })
})

import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { patience, Testbed } from '../../packages/server/testing/testbed.ts'

const testbed = new Testbed()
const seed = fileURLToPath(new URL('../seeds/deploy-gate.json', import.meta.url))
let person: Record<string, string>

beforeAll(async () => {
  const { ready } = await testbed.up('--test-person')
  person = { STATEWRIGHT_TOKEN: ready.person_token ?? '' }
  copyFileSync(seed, join(testbed.project, 'deploy-gate.json'))
}, patience.timeout)

afterAll(() => testbed.close())

function run(...args: string[]) {
  return testbed.hosted(args, person)
}

describe('statewright process', () => {
  test(
    'PR-11: checks, draws, saves, lists, shows and removes as workflows are',
    patience,
    async () => {
      expect((await run('process', 'check', 'deploy-gate.json')).exit).toBe(0)
      const drawn = await run('process', 'graph', 'deploy-gate.json')
      expect(drawn.out).toContain('migration-check')
      const pushed = await run('process', 'push', 'deploy-gate.json')
      expect([pushed.exit, pushed.out]).toEqual([0, 'deploy-gate version 1\n'])
      const listed = JSON.parse((await run('process', 'list', '--json')).out)
      expect(listed).toMatchObject({ name: 'deploy-gate', version: 1, kind: 'process' })
      const shown = await run('process', 'show', 'deploy-gate')
      expect(shown.out.trim()).toBe(readFileSync(seed, 'utf8').trim())
      const { exit, talk } = await run('process', 'show', 'nothing')
      expect([exit, talk.startsWith('unknown_workflow: ')]).toEqual([4, true])
    },
  )

  test('PR-2: starts a run and steps it by answers alone', patience, async () => {
    const id = (await run('process', 'start', 'deploy-gate')).out.trim()
    const unknown = await run('process', 'answer', id, 'maybe')
    expect(unknown.exit).toBe(3)
    expect(unknown.talk).toContain('unknown_answer')
    expect(unknown.talk).toContain('next: give one of the answers that the message names.')
    const stepped = await run('process', 'answer', id, 'YES', '--rationale', 'looked')
    expect([stepped.exit, stepped.out]).toEqual([0, 'migration-check\n'])
    expect(stepped.talk).toContain('Have all database migrations been reviewed and tested?')
    expect((await run('run', 'transition', id, 'yes')).exit).toBe(3)
    expect((await run('process', 'answer', id, 'no')).out).toBe('blocked\n')
    expect((await run('run', 'verify', id)).exit).toBe(0)
  })

  test('PR-1: a bad definition is told with its place', patience, async () => {
    const bad = { name: 'bad', initial: 'x', states: { a: { question: 'Q', answers: { y: {} } } } }
    writeFileSync(join(testbed.project, 'bad.json'), JSON.stringify(bad, null, 2))
    const { exit, out } = await run('process', 'check', 'bad.json')
    expect(exit).toBe(3)
    expect(out).toMatch(/^bad\.json:\d+:\d+ error /m)
    expect((await run('process', 'push', 'bad.json')).exit).toBe(3)
  })

  test('PR-11: is removed, and its runs keep what they are bound to', patience, async () => {
    const id = (await run('process', 'start', 'deploy-gate')).out.trim()
    expect((await run('process', 'delete', 'deploy-gate')).exit).toBe(0)
    expect((await run('process', 'delete', 'deploy-gate')).exit).toBe(4)
    expect((await run('process', 'answer', id, 'yes')).out).toBe('migration-check\n')
  })
})

describe('statewright policy', () => {
  test('PO-4: saves, lists, explains and removes a policy', patience, async () => {
    const slow = 'role: agent\nallow:\n  - capability: bash\n    rate_limit:\n'
    writeFileSync(
      join(testbed.project, 'slow.yaml'),
      `${slow}      max_calls: 5\n      window_seconds: 60\ndeny:\n  - capability: webfetch\n`,
    )
    const pushed = await run('policy', 'push', 'slow', 'slow.yaml')
    expect([pushed.exit, pushed.out]).toEqual([0, 'slow version 1\n'])
    expect((await run('policy', 'list')).out).toMatch(/slow +1 +role agent/)
    const denied = await run('policy', 'explain', '--tool', 'WebFetch')
    expect(denied.exit).toBe(3)
    expect(denied.out).toContain('denied: webfetch for the role agent')
    expect(denied.out).toContain('policies.slow.deny.0')
    const allowed = await run('policy', 'explain', '--capability', 'bash')
    expect([allowed.exit, allowed.out]).toEqual([
      0,
      [
        'allowed: bash for the role agent',
        '  policy:slow: allow, policies.slow.allow.0 (bash)',
        '    0 of 5 calls in 60 seconds\n',
      ].join('\n'),
    ])
    expect((await run('policy', 'explain')).exit).toBe(2)
    writeFileSync(join(testbed.project, 'bad.yaml'), 'denny: []\n')
    const bad = await run('policy', 'push', 'bad', 'bad.yaml')
    expect(bad.exit).toBe(3)
    expect(bad.talk).toContain('denny')
    expect((await run('policy', 'delete', 'slow')).exit).toBe(0)
    expect((await run('policy', 'delete', 'slow')).exit).toBe(4)
  })

  test('PO-1e: shows versions, what changed between them, and restores one', patience, async () => {
    for (const capability of ['bash', 'read']) {
      writeFileSync(join(testbed.project, 'kept.yaml'), `deny:\n  - capability: ${capability}\n`)
      expect((await run('policy', 'push', 'kept', 'kept.yaml')).exit).toBe(0)
    }
    expect((await run('policy', 'delete', 'kept')).exit).toBe(0)
    const versions = await run('policy', 'versions', 'kept')
    expect(versions.out).toMatch(/3 \(removed\)[\s\S]*\n2 [\s\S]*\n1 /)
    const first = JSON.parse((await run('policy', 'show', 'kept', '--version', '1')).out)
    expect(first).toEqual({ deny: [{ capability: 'bash' }] })
    const changed = (await run('policy', 'diff', 'kept', '1', '2')).out
    expect(changed).toMatch(/-.*bash[\s\S]*\+.*read/)
    const restored = await run('policy', 'restore', 'kept', '1')
    expect([restored.exit, restored.out]).toEqual([0, 'kept version 4\n'])
    expect((await run('policy', 'restore', 'kept', '9')).exit).toBe(4)
    expect((await run('policy', 'explain', '--capability', 'bash')).exit).toBe(3)
    expect((await run('policy', 'delete', 'kept')).exit).toBe(0)
  })
})

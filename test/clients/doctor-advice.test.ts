import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runStatewright } from '../../packages/server/testing/child.ts'
import { type GuardedHome, openGuardedHome } from './guarded-home.ts'

/** Every red line of doctor names what mends it, and that does mend it. */

const limits = { timeout: 120_000 }

interface Finding {
  readonly check: string
  readonly status: string
  readonly message: string
  readonly next?: string
}

let guarded: GuardedHome

/** What is broken, with the advice for it. */
async function brokenLines(run = guarded.command): Promise<Record<string, string>> {
  const { stdout } = await run(['doctor', '--json'])
  const { clients } = JSON.parse(stdout) as { clients: { findings: Finding[] }[] } // As printed.
  const broken = clients
    .flatMap(({ findings }) => findings)
    .filter(({ status }) => status === 'broken')
  return Object.fromEntries(broken.map(({ check, next = '' }) => [check, next]))
}

const install = ['install', 'claude-code', '--project', '--yes']
const installAgain = 'run "statewright install claude-code --project" again.'

async function follow(words: readonly string[]): Promise<void> {
  const { code, stderr } = await guarded.command(words)
  expect(`${code} ${stderr}`).toMatch(/^0 /)
  expect(await brokenLines()).toEqual({})
}

interface Trouble {
  readonly name: string
  readonly make: () => Promise<unknown>
  readonly advice: Record<string, unknown>
  readonly words: readonly string[]
}

const record = () => {
  const settings = readFileSync(join(guarded.work, '.claude/settings.local.json'), 'utf8')
  const file = /"([^"]+\/installs\/claude-code-[^"]+\.json)"/.exec(settings)?.[1] ?? ''
  return JSON.parse(readFileSync(file, 'utf8')) as { keys: { token_id: string }[] } // As written.
}

const troubles: readonly Trouble[] = [
  {
    name: 'a hook program that is gone',
    make: async () => {
      const folder = join(guarded.home, '.local/state/statewright/hook')
      renameSync(folder, `${folder}-gone`)
    },
    advice: { canary: installAgain },
    words: install,
  },
  {
    name: 'a key that was revoked',
    make: () => guarded.command(['token', 'revoke', record().keys[0]?.token_id ?? '']),
    advice: { canary: installAgain, mcp: installAgain },
    words: install,
  },
  {
    name: 'a server that only observes',
    make: () => guarded.command(['config', 'mode', 'observe']),
    advice: {
      canary: expect.stringContaining('"statewright config mode enforce"'),
      guard: expect.stringContaining('"statewright config mode enforce"'),
    },
    words: ['config', 'mode', 'enforce'],
  },
]

describe('the advice of doctor', limits, () => {
  beforeAll(async () => {
    guarded = await openGuardedHome('advice')
    await follow(install)
  }, limits.timeout)
  afterAll(() => guarded.close())

  test.each(troubles)('mends $name', async ({ make, advice, words }) => {
    await make()
    expect(await brokenLines()).toEqual(advice)
    await follow(words)
  })

  test('names the file whose switch turns hooks off', async () => {
    const file = join(guarded.work, '.claude/settings.local.json')
    const before = readFileSync(file, 'utf8')
    writeFileSync(file, before.replace('{', '{"disableAllHooks": true,'))
    expect(await brokenLines()).toEqual({
      switches: `remove disableAllHooks from ${file}, then restart the client.`,
    })
    writeFileSync(file, before)
  })

  test('tells a stranger to log in, and everybody to start the server', async () => {
    const environment = { PATH: '/usr/bin:/bin', HOME: guarded.home }
    const url = { STATEWRIGHT_URL: guarded.server.url }
    const asNobody = (args: readonly string[]) =>
      runStatewright(args, { cwd: guarded.work, environment: { ...environment, ...url } })
    const login = expect.stringContaining('"statewright login"')
    expect(await brokenLines(asNobody)).toMatchObject({ canary: login, guard: login })
    await guarded.server.kill('SIGKILL')
    expect(await brokenLines()).toEqual({ server: expect.stringContaining('"statewright up"') })
  })
})

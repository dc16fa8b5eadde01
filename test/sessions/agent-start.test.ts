import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type StartedServer, startStatewright } from '../../packages/server/testing/child.ts'
import { Attached, type Followed, followEvents } from './session-kit.ts'

let home: string
let server: StartedServer

beforeAll(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'statewright-agents-')))
  mkdirSync(join(home, 'bin'))
  mkdirSync(join(home, 'work'))
  server = await startStatewright({
    cwd: join(home, 'work'),
    environment: { HOME: home, PATH: `${join(home, 'bin')}:/usr/bin:/bin` },
    args: ['--data', join(home, 'data')],
  })
})

afterAll(async () => {
  await server.kill()
  rmSync(home, { recursive: true, force: true })
})

async function ask(path: string, body: object): Promise<Attached> {
  return Attached.parse((await server.ask('POST', path, body)).value)
}

const until = (id: string, isIt: (data: Followed['data']) => boolean): Promise<Followed[]> =>
  followEvents({ url: server.url, token: server.personToken, id, after: '0' }, (_, data) =>
    isIt(data),
  )

/** The states that a session went through until it stood in error so many times. */
async function statesUntilError(id: string, times: number): Promise<unknown[]> {
  let errors = 0
  const reported = await until(id, (data) => {
    if (data.type === 'state_changed' && data.to === 'error') errors += 1
    return errors === times
  })
  return reported.flatMap(({ data }) => (data.type === 'state_changed' ? [data.to] : []))
}

const agents = [
  { harness: 'claude-code', program: 'claude' },
  { harness: 'acp', program: 'claude-agent-acp' },
]
const faults = [
  { fault: 'is missing', file: undefined, why: /was not found/ },
  { fault: 'may not be run', file: { text: '#!/bin/sh\n', mode: 0o644 }, why: /may not be run/ },
  {
    // As the npm package of Claude Code is without its install script: no program for this system.
    fault: 'ends at once',
    file: { text: 'echo "native binary not installed" >&2\nexit 1\n', mode: 0o755 },
    why: /ended with 1 \(native binary not installed/,
  },
  {
    fault: 'ends well without a word',
    file: { text: '#!/bin/sh\nexit 0\n', mode: 0o755 },
    why: /ended with 0/,
  },
]

describe.each(agents)('an agent of $harness', ({ harness, program }) => {
  test.each(faults)(
    'SE-2a: whose program $fault is an error at once, and never ready',
    async ({ file, why }) => {
      const path = join(home, 'bin', program)
      rmSync(path, { force: true })
      if (file !== undefined) {
        writeFileSync(path, file.text)
        chmodSync(path, file.mode)
      }
      const options = harness === 'acp' ? { agent: 'claude' } : {}
      const body = { harness, projectPath: join(home, 'work'), options }
      const { sessionId: id } = await ask('/api/sessions', body)
      expect(await statesUntilError(id, 1)).toEqual(['starting', 'error'])
      const first = await server.ask('GET', `/api/sessions/${id}`)
      expect(first.value).toMatchObject({
        kind: 'error',
        retryAtMs: null,
        lastError: { code: 'harness_failed', message: expect.stringMatching(why) },
      })
      expect(JSON.stringify(first.value)).toContain(program)
      await ask(`/api/sessions/${id}/input`, { text: 'go' })
      const states = ['starting', 'error', 'calling_llm', 'error']
      expect(await statesUntilError(id, 2)).toEqual(states)
      expect((await server.ask('GET', `/api/sessions/${id}`)).value).toMatchObject({
        kind: 'error',
        retryAtMs: null,
        lastError: { code: 'harness_failed', message: expect.stringMatching(why) },
      })
    },
    30_000,
  )

  test('SE-7: that hangs at its start is ended, with what it started, by a stop', async () => {
    const [path, pids] = [join(home, 'bin', program), join(home, `${program}.pids`)]
    const note = `echo $$ $! > ${pids}.new; mv ${pids}.new ${pids}`
    writeFileSync(path, `#!/bin/sh\nsleep 600 &\n${note}\nwait\n`)
    chmodSync(path, 0o755)
    const options = harness === 'acp' ? { agent: 'claude' } : {}
    const body = { harness, projectPath: join(home, 'work'), options }
    const { sessionId: id } = await ask('/api/sessions', body)
    await expect.poll(() => existsSync(pids), { timeout: 20_000 }).toBe(true)
    await ask(`/api/sessions/${id}/stop`, {})
    await until(id, (data) => data.type === 'state_changed' && data.to === 'stopped')
    for (const pid of readFileSync(pids, 'utf8').trim().split(' ')) {
      await expect.poll(() => isAlive(Number(pid)), { timeout: 20_000 }).toBe(false)
    }
  })
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

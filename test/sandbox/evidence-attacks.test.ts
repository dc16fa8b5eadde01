import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { signedHeader } from '../support/signed-answer.ts'
import { bound, GuardedClient } from './guarded-client.test-kit.ts'

/** A test that passes, a source that it is about, and a guard that wants it tested. */
const definition = (state: object = {}) => ({
  id: 'proved',
  initial: 'working',
  context: {},
  states: {
    working: { on: { DONE: { target: 'done', guard: 'tested' } }, background: true, ...state },
    done: { type: 'final' },
  },
  guards: { tested: { evidence: 'tests_pass' } },
  evidence: {
    tests_pass: {
      tool: 'Bash',
      command: './check',
      exit: 'success',
      stale_after: ['src/**'],
      defined_by: ['check', 'package.json'],
    },
  },
})

/** With and without our own `exec` between the client and the command. */
describe.each([
  ['as the client runs it', {}],
  ['through us', { env_overrides: { MODE: 'test' } }],
])('WF-31: evidence from a command %s', (_, state) => {
  let client: GuardedClient

  beforeEach(async () => {
    client = new GuardedClient()
    await client.run('mkdir src; echo 1 > src/a; echo "{}" > package.json')
    script('exit 0')
    await client.start(definition(state))
  })
  afterEach(() => client.close())

  const script = (text: string) =>
    writeFileSync(join(client.project, 'check'), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  const done = async () => (await client.transition('DONE')).code ?? 'passed'

  test('holds when the command was seen to succeed', bound, async () => {
    await client.shell('./check')
    expect(await done()).toBe('passed')
  })

  test('a failing command proves nothing', bound, async () => {
    // What it does is decided by a file that no pattern names.
    script('test -e ok')
    await client.shell('./check')
    expect(await done()).toBe('evidence_missing')
  })

  test.each(['./check || true', './check; true', 'true || ./check', 'false && ./check; :'])(
    '%s proves nothing',
    bound,
    async (command) => {
      await client.shell(command)
      expect(await done()).toBe('evidence_missing')
    },
  )

  test.each([
    ['run_in_background', true],
    ['run_in_background', 'true'],
    ['is_background', 1],
    ['detach', true],
    ['mode', 'async'],
  ])('a start in the background (%s: %j) proves nothing', bound, async (field, value) => {
    const callId = client.newCallId()
    const input = { command: './check', [field]: value }
    const { command } = await client.before('Bash', input, callId)
    await client.run(command ?? input.command)
    await client.after('Bash', input, callId)
    await client.shell('./check &')
    expect(await done()).toBe('evidence_missing')
  })

  test.each([{ backgroundTaskId: 'b1' }, { interrupted: true }])(
    'a command that was not waited for (%j) proves nothing',
    bound,
    async (more) => {
      const callId = client.newCallId()
      // The client moves it to the background when the time is over.
      const input = { command: './check', timeout: 1 }
      await client.before('Bash', input, callId)
      await client.after('Bash', input, callId, false, more)
      expect(await done()).toBe('evidence_missing')
    },
  )

  test('what the agent itself posts proves nothing', bound, async () => {
    const callId = client.newCallId()
    const input = { command: './check' }
    await client.before('Bash', input, callId)
    await client.claim('Bash', input, callId)
    expect(await done()).toBe('evidence_missing')
    const again = client.newCallId()
    await client.before('Bash', input, again)
    const result = { session: 's1', call_id: again, exit: 'success', bytes: 0 }
    await client.ask('POST', '/api/result', client.token, result)
    expect(await done()).toBe('evidence_missing')
  })

  test(
    'what the agent itself asks for, as if it were the client, proves nothing',
    bound,
    async () => {
      await client.shell('ls')
      // Its own token does not speak for its client: there is no ticket to redeem.
      const { command } = await client.pretend('Bash', { command: './check' })
      expect(command).toBeUndefined()
      expect(await done()).toBe('evidence_missing')
    },
  )

  test('an edit by a script after the test voids it', bound, async () => {
    await client.shell('./check')
    await client.run('echo 2 > src/a; touch -d 2001-01-01 src/a')
    expect(await done()).toBe('evidence_missing')
  })

  test('an edit while the test runs voids it', bound, async () => {
    script('echo 2 > src/a')
    await client.shell('./check')
    expect(await done()).toBe('evidence_missing')
  })

  test.each([
    ['what it tests', 'src/a'],
    ['what says how', 'package.json'],
  ])(
    '%s, swapped and swapped back while it runs, is a matter for a person',
    bound,
    async (_, file) => {
      script(`mv ${file} x; echo good > ${file}; rm ${file}; mv x ${file}`)
      await client.shell('./check')
      expect((await client.transition('DONE')).status).toBe(202)
    },
  )

  test('a changed package.json makes it a matter for a person', bound, async () => {
    await client.shell('ls')
    await client.run(`echo '{"scripts":{"test":"true"}}' > package.json`)
    await client.shell('./check')
    const { status } = await client.transition('DONE')
    expect(status).toBe(202)
    expect(await done()).toBe('approval_pending')
  })
})

describe('WF-31 SH-15: a call that was to run through us', () => {
  test('counts only when it did', bound, async () => {
    const client = new GuardedClient()
    try {
      await client.run('mkdir src; printf "#!/bin/sh\\n" > check; chmod +x check')
      await client.start(definition({ env_overrides: { MODE: 'test' } }))
      const callId = client.newCallId()
      const input = { command: './check' }
      await client.before('Bash', input, callId)
      // The client's hook says that it ended well, although nobody came with the ticket.
      await client.after('Bash', input, callId)
      expect((await client.transition('DONE')).code).toBe('evidence_missing')
    } finally {
      await client.close()
    }
  })

  test('cannot be reported with a ticket, nor twice', bound, async () => {
    const client = new GuardedClient()
    try {
      await client.run('mkdir src; printf "#!/bin/sh\\n" > check; chmod +x check')
      await client.start(definition({ env_overrides: { MODE: 'test' } }))
      const { command = '' } = await client.before('Bash', { command: './check' })
      const ticket = command.split(' ').at(-1) ?? ''
      const report = {
        exit: 0,
        bytes: 0,
        output_hash: '0'.repeat(64),
        duration_ms: 1,
      }
      const text = JSON.stringify(report)
      for (const authorization of [
        `Bearer ${client.token}`,
        signedHeader(ticket, '/api/exec/done', text),
      ]) {
        const reported = await fetch(new URL('/api/exec/done', client.running.url), {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json' },
          body: text,
        })
        const { code } = (await reported.json()) as { code: string } // As published.
        expect([reported.status, code]).toEqual([403, 'not_permitted'])
      }
      expect((await client.transition('DONE')).code).toBe('evidence_missing')
    } finally {
      await client.close()
    }
  })
})

describe('WF-31 SH-15: a ticket that another program takes from the command line', () => {
  let client: GuardedClient
  const input = { command: './check' }

  beforeEach(async () => {
    client = new GuardedClient()
    await client.run('mkdir src; printf "#!/bin/sh\\nexit 1\\n" > check; chmod +x check')
    // In the thief's hands `exec` starts something else than it was told.
    const thief = "const c = require('node:child_process'); const { spawn } = c\n"
    const spawns = 'c.spawn = (_, args, how) => spawn("/bin/true", [], { ...how, cwd: "/" })\n'
    writeFileSync(join(client.folder, 'thief.cjs'), thief + spawns)
    await client.start(definition({ env_overrides: { MODE: 'test' } }))
  })
  afterEach(() => client.close())

  const steal = (command: string) =>
    client.run(command, { NODE_OPTIONS: `--require ${join(client.folder, 'thief.cjs')}` })

  test('proves nothing once the client comes with it too', bound, async () => {
    const { command = '' } = await client.before('Bash', input)
    expect((await steal(command)).code).toBe(0)
    expect((await client.run(command)).code).toBe(126)
    expect((await client.transition('DONE')).code).toBe('evidence_missing')
    const gaps = (await client.history()).filter(({ entry }) => entry.type === 'gap')
    expect(gaps).toMatchObject([{ entry: { code: 'unjudged_call' } }])
  })

  test('proves nothing when the client says that the call failed', bound, async () => {
    const callId = client.newCallId()
    const { command = '' } = await client.before('Bash', input, callId)
    expect((await steal(command)).code).toBe(0)
    await client.after('Bash', input, callId, true)
    expect((await client.transition('DONE')).code).toBe('evidence_missing')
  })

  test('proves nothing while somebody else still has it', bound, async () => {
    const { command = '' } = await client.before('Bash', input)
    const ticket = command.split(' ').at(-1) ?? ''
    const waits = spawn('/bin/sh', ['-c', 'read stopped', ticket], { stdio: 'pipe' })
    try {
      expect((await steal(command)).code).toBe(0)
      expect((await client.transition('DONE')).code).toBe('evidence_missing')
    } finally {
      waits.kill()
    }
  })
})

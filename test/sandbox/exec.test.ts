import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { bound, GuardedClient, hasCage } from './guarded-client.test-kit.ts'

let client: GuardedClient
afterEach(() => client.close())

async function guarded(state: object, more: object = {}, variables = {}): Promise<GuardedClient> {
  client = new GuardedClient()
  const definition = {
    id: 'guarded',
    initial: 'one',
    states: { one: { on: { NEXT: 'two' }, ...state }, two: { on: { END: 'end' } }, end: final },
    ...more,
  }
  await client.start(definition, variables)
  return client
}

const final = { type: 'final' }
const secret = { PROD_DB_URL: 'hush', HARMLESS: 'yes' }

/** Seconds to sleep, a number of our own: the same tests may run beside us, in another clone. */
const nap = `4712.${process.pid}`

describe('a shell call of a client', () => {
  test('SH-15: runs as it is where nothing asks for more', bound, async () => {
    await guarded({})
    const ran = await client.shell('echo hello')
    expect([ran.command, ran.stdout]).toEqual([undefined, 'hello\n'])
  })

  test('SH-12 SH-15: runs through us with its real environment', bound, async () => {
    await guarded({ blocked_env: ['PROD_DB_URL'], env_overrides: { MODE: 'dry' }, sandbox: 'off' })
    writeFileSync(join(client.project, 'show'), 'env; cat; exit 7\n')
    const ran = await client.shell('sh show <<< typed', secret)
    expect(ran.command).toMatch(/exec\.cjs http:\/\/127\.0\.0\.1:\d+ [\w-]{43}$/)
    expect(ran.code).toBe(7)
    expect(ran.stdout).toContain('MODE=dry\n')
    expect(ran.stdout).toContain('HARMLESS=yes\n')
    expect(ran.stdout).toContain('typed\n')
    expect(ran.stdout).not.toContain('hush')
  })

  test(
    'SH-12: it gets nothing of ours, nothing that runs code first, nothing blocked',
    bound,
    async () => {
      const overrides = { MODE: 'dry', PROD_DB_URL: 'hush', PROMPT_COMMAND: 'echo early' }
      await guarded({ blocked_env: ['PROD_DB_URL'], env_overrides: overrides, sandbox: 'off' })
      const early = join(client.project, 'early')
      writeFileSync(early, 'echo early\n')
      writeFileSync(join(client.project, 'show'), 'env\n')
      const theirs = { ...secret, MODE: 'wet', STATEWRIGHT_TOKEN: 'hush', SHELLOPTS: 'xtrace' }
      const { command = '' } = await client.before('Bash', { command: 'sh show' })
      // Set for our program alone: a shell that has it would read the file before us.
      const ran = await client.run(`env BASH_ENV=${early} ${command}`, theirs)
      expect(ran.code).toBe(0)
      expect(ran.stdout).toContain('MODE=dry\n')
      expect(ran.stdout).not.toMatch(/hush|early|SHELLOPTS|STATEWRIGHT_TOKEN/)
    },
  )

  test('SH-15: standard input, error and codes of signals pass through', bound, async () => {
    await guarded({ env_overrides: { A: 'b' } })
    const { command = '' } = await client.before('Bash', { command: 'cat; echo e >&2; kill $$' })
    const ran = await client.run(`echo in | ${command}`)
    expect(ran).toMatchObject({ stdout: 'in\n', stderr: 'e\n' })
    expect(ran.code).toBe(143)
  })

  test('SH-15: the history shows the original command', bound, async () => {
    await guarded({ env_overrides: { A: 'b' } })
    await client.shell('echo original')
    const text = JSON.stringify(await client.history())
    expect(text).toContain('echo original')
    expect(text).not.toContain('exec.cjs')
  })

  test('SH-15: what else stands in the input stays', bound, async () => {
    await guarded({ env_overrides: { A: 'b' } })
    const input = { command: 'ls', description: 'Lists', timeout: 5000 }
    const { answer, command } = await client.before('Bash', input)
    expect(answer).toEqual({
      hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { ...input, command } },
    })
  })
})

describe.skipIf(!hasCage)('the folder that a call names', () => {
  test(
    'SH-14: is not brought into the sandbox for that, in a run without a workspace',
    bound,
    async () => {
      await guarded({ sandbox: 'required' })
      const other = join(client.folder, 'other')
      mkdirSync(other)
      const run = { workflow: 'guarded', session: 's1' }
      expect((await client.ask('POST', '/api/runs', client.person, run)).status).toBe(201)
      const input = { command: 'echo x > made', workdir: other }
      const { command = '' } = await client.before('Bash', input)
      expect((await client.run(command)).stderr).toContain(`${other} cannot be seen there`)
      expect(existsSync(join(other, 'made'))).toBe(false)
      expect((await client.shell('echo x > made')).code).toBe(0)
    },
  )

  test('SH-15: is where the command runs, also when it is relative', bound, async () => {
    await guarded({ sandbox: 'required' })
    mkdirSync(join(client.project, 'sub'))
    const { command = '' } = await client.before('Bash', { command: 'pwd', workdir: 'sub' })
    expect((await client.run(command)).stdout).toBe(`${join(client.project, 'sub')}\n`)
  })
})

describe('SH-15: a ticket', () => {
  const notRun = (ran: { code: number | null; stdout: string; stderr: string }) => {
    expect([ran.code, ran.stdout]).toEqual([126, ''])
    expect(ran.stderr).toContain('the command was not run')
  }

  test('serves once', bound, async () => {
    await guarded({ env_overrides: { A: 'b' } })
    const { command = '' } = await client.before('Bash', { command: 'echo ran' })
    expect((await client.run(command)).stdout).toBe('ran\n')
    notRun(await client.run(command))
  })

  test('is one for each call, however often the client asks', bound, async () => {
    await guarded({ env_overrides: { A: 'b' } })
    const input = { command: 'echo ran' }
    const id = client.newCallId()
    const { command: first = '' } = await client.before('Bash', input, id)
    const { command: second = '' } = await client.before('Bash', input, id)
    notRun(await client.run(first))
    expect((await client.run(second)).stdout).toBe('ran\n')
    // It has run: its id is used up (WF-32a).
    const { answer, command } = await client.before('Bash', input, id)
    expect(JSON.stringify(answer)).toContain('call_id_reused')
    expect(command).toBeUndefined()
  })

  test('that nobody gave out runs nothing', bound, async () => {
    await guarded({ env_overrides: { A: 'b' } })
    const { command = '' } = await client.before('Bash', { command: 'echo ran' })
    notRun(await client.run(command.replace(/\S+$/, 'A'.repeat(43))))
    notRun(await client.run(command.replace(/\S+$/, 'short')))
    notRun(await client.run(command.replace(/ \S+$/, '')))
  })

  test('is void after a transition', bound, async () => {
    await guarded({ env_overrides: { A: 'b' } })
    const { command = '' } = await client.before('Bash', { command: 'echo ran' })
    expect((await client.transition('NEXT')).status).toBe(200)
    notRun(await client.run(command))
  })

  test('leads nowhere when the server is gone', bound, async () => {
    await guarded({ env_overrides: { A: 'b' } })
    const { command = '' } = await client.before('Bash', { command: 'echo ran' })
    await client.running.stop()
    notRun(await client.run(command))
    await client.start({ id: 'guarded', initial: 'a', states: { a: final } } as never)
  })

  test(
    'SH-20: is not told to whoever has the port, and takes no plan of theirs',
    bound,
    async () => {
      await guarded({ env_overrides: { A: 'b' } })
      const { command = '' } = await client.before('Bash', { command: 'echo ran' })
      const ticket = command.split(' ').at(-1) ?? ''
      const plan = {
        ...{ program: '/bin/echo', args: [], command: ['taken'], is_caged: false, capture: 0 },
        ...{ cwd: client.project, mark: 'm'.repeat(22), blocked: [], overrides: {}, absent: [] },
        ...{ never_given: '^$', loader: '^$', report: 'r'.repeat(43) },
      }
      let heard = ''
      const impostor = createServer((socket) => {
        socket.on('error', () => {})
        socket.on('data', (chunk) => {
          heard += chunk.toString('latin1')
          const head = `HTTP/1.1 200 OK\r\nStatewright-Mac: ${'0'.repeat(64)}\r\n\r\n`
          socket.end(head + JSON.stringify(plan))
        })
      })
      await new Promise<void>((resolve) => impostor.listen(0, '127.0.0.1', resolve))
      const { port } = impostor.address() as AddressInfo // A TCP server has one.
      const ran = await client.run(command.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`))
      impostor.close()
      notRun(ran)
      expect(heard).toContain('/api/exec/start')
      expect(heard).not.toContain(ticket)
      // It is still good for what it was made for.
      expect((await client.run(command)).stdout).toBe('ran\n')
    },
  )
})

describe('SH-16: what ran through us', () => {
  test('ends with the call, wherever it went', bound, async () => {
    await guarded({ env_overrides: { A: 'b' } })
    const line = `(setsid nohup sleep ${nap}1 >/dev/null 2>&1 &); sleep ${nap}1 & sleep 0.3; exit 0`
    expect((await client.shell(line)).code).toBe(0)
    expect((await client.run(`pgrep -f "sleep ${nap}[1]"`)).stdout).toBe('')
  })

  test('ends before a transition is committed', bound, async () => {
    await guarded({ env_overrides: { A: 'b' }, background: true })
    const input = { command: `echo go; sleep ${nap}2; echo late`, run_in_background: true }
    const { command = '' } = await client.before('Bash', input)
    const running = client.run(command)
    await until(async () => (await client.run(`pgrep -f "sleep ${nap}[2]"`)).stdout !== '')
    expect((await client.transition('NEXT')).status).toBe(200)
    const ran = await running
    expect([ran.code, ran.stdout]).toEqual([143, 'go\n'])
    expect((await client.run(`pgrep -f "sleep ${nap}[2]"`)).stdout).toBe('')
  })

  test('goes on when a transition is refused', bound, async () => {
    await guarded({ env_overrides: { A: 'b' }, background: true })
    const { command = '' } = await client.before('Bash', { command: 'sleep 1; echo whole' })
    const running = client.run(command)
    expect((await client.transition('NOTHING')).code).toBe('unknown_event')
    expect((await running).stdout).toBe('whole\n')
  })
})

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries++) if (await holds()) return
  throw new Error('it never came to be')
}

describe('SH-14: without a sandbox', () => {
  const nowhere = { PATH: '/nowhere' }
  test('a client that cannot be rewritten is denied where one is required', bound, async () => {
    await guarded({ sandbox: 'required' }, {}, nowhere)
    const body = {
      hook_event_name: 'PreToolUse',
      session_id: 's2',
      cwd: client.project,
      tool_name: 'shell',
      tool_input: { command: 'ls' },
      tool_use_id: 'call_1',
      turn_id: 't',
      transcript_path: null,
      permission_mode: 'default',
      model: 'm',
    }
    const { body: answer } = await client.ask('POST', '/hooks/codex', client.hookToken, body)
    expect(JSON.stringify(answer)).toContain('sandbox_required')
  })
})

describe.skipIf(!hasCage)('SH-10: where a state has no shell', () => {
  test('SH-10: what is not known runs without the variables of the client', bound, async () => {
    await guarded({ allowed_tools: ['Read', 'Grep', 'Glob'] })
    writeFileSync(join(client.project, 'show.sh'), 'env\n')
    const ran = await client.shell('sh show.sh', { ...secret, LANG: 'C.UTF-8' })
    expect(ran.command).toMatch(/exec\.cjs/)
    expect(ran.stdout).toContain('PATH=')
    expect(ran.stdout).not.toMatch(/hush|HARMLESS/)
  })

  test('SH-10: keys in the home are out of sight of it', bound, async () => {
    await guarded({ allowed_tools: ['Read', 'Grep', 'Glob'] })
    mkdirSync(join(client.home, '.ssh'))
    writeFileSync(join(client.home, '.ssh', 'id_rsa'), 'hush\n')
    writeFileSync(join(client.home, '.netrc'), 'hush\n')
    writeFileSync(join(client.project, 'a.txt'), 'seen\n')
    const ran = await client.shell(`cat a.txt ${client.home}/.ssh/id_rsa ${client.home}/.netrc`)
    expect(ran.command).toMatch(/exec\.cjs/)
    expect([ran.stdout.includes('seen'), ran.stdout.includes('hush')]).toEqual([true, false])
  })
})

describe.skipIf(!hasCage)('SH-14 SH-15: in a sandbox', () => {
  test('a reading state changes no file', bound, async () => {
    await guarded({ allowed_tools: ['Read', 'Bash'], sandbox: 'required' })
    writeFileSync(join(client.project, 'test.sh'), 'echo x > made; echo y > "$HOME/made"; exit 0\n')
    const ran = await client.shell('sh test.sh')
    expect(ran.stderr).toContain('Read-only file system')
    expect(existsSync(join(client.project, 'made'))).toBe(false)
    expect(existsSync(join(client.home, 'made'))).toBe(false)
  })

  test('a writing state writes into its workspace', bound, async () => {
    await guarded({ allowed_tools: ['Write', 'Bash'], sandbox: 'required' })
    await client.shell('echo x > made')
    expect(readFileSync(join(client.project, 'made'), 'utf8')).toBe('x\n')
  })

  test('strict mode puts shell calls into one by itself', bound, async () => {
    await guarded({ allowed_tools: ['Bash'] }, {}, { STATEWRIGHT_STRICT: '1' })
    expect((await client.shell('cat /proc/1/comm')).stdout).toBe('bwrap\n')
  })

  test('a blocked variable is nowhere, not even with the process that held it', bound, async () => {
    await guarded({ allowed_tools: ['Bash'], blocked_env: ['PROD_DB_URL'], sandbox: 'auto' })
    const script = 'cat /proc/[0-9]*/environ /proc/1/environ /proc/self/environ; ps eww -A'
    writeFileSync(join(client.project, 'look'), script)
    const ran = await client.shell('sh look', secret)
    expect(ran.stdout).toContain('HARMLESS=yes')
    expect(ran.stdout + ran.stderr).not.toContain('hush')
  })

  test('our data and the keys of clients are not there', bound, async () => {
    await guarded({ allowed_tools: ['Bash'], sandbox: 'auto' })
    mkdirSync(join(client.home, '.claude'))
    writeFileSync(join(client.home, '.claude', 'settings.json'), '{"key":"hush"}')
    const script = `find ${client.data} ${client.home}/.claude -type f; cat ${client.data}/*.db`
    writeFileSync(join(client.project, 'look'), script)
    const ran = await client.shell('sh look')
    expect(ran.stdout).toBe('')
    expect(ran.stderr).toContain('No such file')
  })

  test('our processes cannot be seen or signalled', bound, async () => {
    await guarded({ allowed_tools: ['Bash'], sandbox: 'auto' })
    const { pid } = process
    writeFileSync(join(client.project, 'look'), `kill -0 ${pid}; ls /proc/${pid}/; ps -A | wc -l`)
    const ran = await client.shell('bash look')
    expect(ran.stderr).toContain('No such process')
    expect(ran.stderr).toContain('No such file')
    expect(Number(ran.stdout)).toBeLessThan(10)
  })

  test('our port cannot be reached where the network is off', bound, async () => {
    await guarded(
      { allowed_tools: ['Bash'] },
      { sandbox: 'auto' },
      { STATEWRIGHT_SANDBOX_NETWORK: 'off' },
    )
    const { port } = new URL(client.running.url)
    writeFileSync(join(client.project, 'look'), `exec 3<>/dev/tcp/127.0.0.1/${port} && echo in\n`)
    const ran = await client.shell('bash look')
    expect(ran.stdout).toBe('')
    expect(ran.stderr).toContain('refused')
  })

  test('settings of clients cannot be changed, and new ones are told', bound, async () => {
    await guarded({ allowed_tools: ['Bash', 'Write'], sandbox: 'auto' })
    mkdirSync(join(client.project, '.codex'))
    writeFileSync(join(client.project, '.codex', 'config.toml'), 'a = 1\n')
    writeFileSync(join(client.project, 'make'), 'echo > .codex/config.toml; echo "{}" > .mcp.json')
    const ran = await client.shell('sh make')
    expect(readFileSync(join(client.project, '.codex', 'config.toml'), 'utf8')).toBe('a = 1\n')
    expect(ran.stderr).toContain('.mcp.json is protected; what was created there was moved aside')
    expect(existsSync(join(client.project, '.mcp.json'))).toBe(false)
  })
})

test('WF-32: what a command printed through us is kept with capture_output', bound, async () => {
  await guarded({ env_overrides: { A: 'b' } }, { meta: { capture_output: true } })
  await client.shell('echo kept; echo too >&2')
  expect(await client.outputs()).toEqual([expect.stringMatching(/^kept\ntoo\n$|^too\nkept\n$/)])
})

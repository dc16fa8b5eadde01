import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  type Ran,
  runStatewright,
  type StartedServer,
  startStatewright,
  type Variables,
} from '../../packages/server/testing/child.ts'
import { type FakeModel, startFakeModel, type Turn } from '../support/fake-anthropic.ts'
import { isClaudeInstalled, runClaude } from './claude-client.ts'
import { isDriven } from './guarded-home.ts'

const isTried = isDriven('Claude Code', { isInstalled: isClaudeInstalled(), isShort: true })

const workflow = {
  id: 'plan-then-write',
  initial: 'planning',
  states: {
    planning: { allowed_tools: ['Read', 'Grep'], on: { READY: 'writing' } },
    writing: { allowed_tools: ['Read', 'Write', 'Edit'], on: { DONE: 'done', OPEN: 'open' } },
    open: { on: { DONE: 'done' } },
    mending: { allowed_tools: ['Read', 'Write'], on: { MENDED: '$return' } },
    done: { type: 'final' },
  },
  interrupts: { secrets: { trigger: { file_pattern: '**/*.env' }, target: 'mending' } },
}

let home: string
let work: string
let server: StartedServer
let model: FakeModel | undefined

async function open(): Promise<void> {
  home = mkdtempSync(join(tmpdir(), 'statewright-claude-'))
  work = join(home, 'work')
  mkdirSync(work)
  server = await startStatewright({
    cwd: work,
    environment: environment(),
    args: ['--data', join(home, 'data'), '--workflow', 'plan-then-write'],
  })
  const saved = await server.ask('PUT', '/api/workflows/plan-then-write', workflow)
  expect(saved.status).toBe(200)
}

async function close(): Promise<void> {
  await server.kill('SIGKILL')
  rmSync(home, { recursive: true, force: true })
}

afterEach(() => model?.close())

function environment(): Variables {
  return { PATH: '/usr/bin:/bin', HOME: home }
}

/** Installs as a person would, in a terminal that knows who they are. */
async function install(command: 'install' | 'uninstall', scope: Scope): Promise<string> {
  const asPerson = { STATEWRIGHT_URL: server.url, STATEWRIGHT_TOKEN: server.personToken }
  const { code, stderr } = await runStatewright([command, 'claude-code', scope, '--yes'], {
    cwd: work,
    environment: { ...environment(), ...asPerson },
  })
  return `${code}\n${stderr}`
}

type Scope = '--user' | '--project'

async function play(script: readonly Turn[]): Promise<Ran> {
  model = await startFakeModel(script)
  return runClaude({ home, work, model, args: ['--include-hook-events'] })
}

interface HookReport {
  readonly hook_event: string
  readonly outcome: string
}

/** How the client says its hooks went, from its own stream. */
function hookReports({ stdout }: Ran): HookReport[] {
  return stdout
    .split('\n')
    .filter((line) => line.includes('"hook_response"'))
    .map((line) => JSON.parse(line))
}

const write = (name: string) => ({
  tool: 'Write',
  input: { file_path: join(work, name), content: 'written\n' },
})
const transition = (event: string) => ({
  tool: 'mcp__statewright__statewright_transition',
  input: { event },
})

/** What the model was given with a request: results of tools and words of ours. */
function given(request: number): string {
  return JSON.stringify(model?.requests[request]?.messages.slice(-2) ?? [])
}

/** What the newest run has seen, each entry in a word or two. */
async function history(): Promise<string[]> {
  const { value } = await server.ask('GET', '/api/runs')
  const { runs } = value as { runs: { run_id: string }[] } // The published shape.
  const page = await server.ask('GET', `/api/runs/${runs[0]?.run_id}/entries?limit=100`)
  const { entries } = page.value as { entries: { type: string; decision?: string }[] } // As above.
  // What a turn has cost is told when the client has written it down, sooner or later.
  const told = entries.filter(({ type }) => type !== 'cost_reported')
  return told.map(({ type, decision }) => (decision === undefined ? type : `${type} ${decision}`))
}

async function revokeAgents(): Promise<void> {
  const { value } = await server.ask('GET', '/api/tokens')
  const { tokens } = value as { tokens: { id: string; kind: string }[] } // The published shape.
  for (const { id, kind } of tokens) {
    if (kind === 'agent') await server.ask('DELETE', `/api/tokens/${id}`)
  }
}

const earlyAndLate: readonly Turn[] = [
  () => [write('early.txt')],
  () => [transition('READY')],
  () => [write('late.txt')],
  [{ text: 'Done.' }],
]

/** One file is refused, then the transition opens the other: what holding a client means. */
async function expectHeld(): Promise<void> {
  for (const name of ['early.txt', 'late.txt']) rmSync(join(work, name), { force: true })
  await play(earlyAndLate)
  expect(existsSync(join(work, 'early.txt'))).toBe(false)
  expect(readFileSync(join(work, 'late.txt'), 'utf8')).toBe('written\n')
  expect(given(1)).toContain('tool_not_allowed')
  expect(given(1)).toContain('call statewright_transition with READY to writing')
  expect(await history()).toEqual([
    'run_started',
    'call_decided deny',
    'transitioned',
    'call_decided allow',
    'call_finished',
  ])
}

const limits = { timeout: 120_000 }

describe.skipIf(!isTried)('the real Claude Code, guarded for its user', limits, () => {
  beforeAll(async () => {
    await open()
    expect(await install('install', '--user')).toMatch(/^0\n/)
  }, limits.timeout)
  afterAll(close)

  test('WF-6, WF-14: is held to the state, and let on by the transition', expectHeld)

  test('WF-13: the model is given the brief on every turn', async () => {
    const read = { tool: 'Read', input: { file_path: join(work, 'x') } }
    const ran = await play([[read], [transition('READY')], []])
    const reports = hookReports(ran)
    expect(reports.map((one) => one.hook_event)).toContain('SessionStart')
    expect(reports.filter((one) => one.outcome !== 'success')).toEqual([])
    expect(given(0)).toContain('[STATEWRIGHT] Phase: planning. Tools: Read, Grep.')
    expect(given(1)).toContain('[STATEWRIGHT] Phase: planning.')
    expect(given(2)).toContain('[STATEWRIGHT] Phase: writing.')
  })

  test('a transition and a write in one message are judged in that order', async () => {
    await play([() => [transition('READY'), write('after.txt')], []])
    expect(existsSync(join(work, 'after.txt'))).toBe(true)
  })

  test('SH-10: a shell that writes is denied where only reading is allowed', async () => {
    const shell = (command: string) => ({ tool: 'Bash', input: { command } })
    await play([[shell(`grep -c . ${work}/none`)], [shell(`echo x > ${work}/shell.txt`)], []])
    expect(existsSync(join(work, 'shell.txt'))).toBe(false)
    expect(given(2)).toContain('tool_not_allowed')
    expect(await history()).toEqual([
      'run_started',
      'call_decided allow',
      'call_finished',
      'call_decided deny',
    ])
  })

  test('WF-28: an interrupt moves the run and is told to the model', async () => {
    await play([[transition('READY')], () => [write('prod.env')], []])
    expect(given(2)).toContain('[STATEWRIGHT INTERRUPT]')
    expect(given(2)).toContain('Phase: mending.')
    expect(await history()).toContain('interrupted')
  })

  test('what it starts is the agent, even with the token of a person', async () => {
    const script = join(work, 'approve.mjs')
    const request = {
      method: 'POST',
      body: '{"kind":"person"}',
      headers: {
        authorization: `Bearer ${server.personToken}`,
        'content-type': 'application/json',
      },
    }
    const ask = `await fetch('${server.url}/api/tokens', ${JSON.stringify(request)})`
    writeFileSync(script, `console.log('ANSWER', (await (${ask}).json()).code)`)
    const run = { tool: 'Bash', input: { command: `${process.execPath} ${script}` } }
    await play([[transition('READY')], [transition('OPEN')], [run], []])
    expect(given(3)).toContain('ANSWER self_approval')
  })

  test('hooks that are switched off in the settings go on holding the session', async () => {
    const files = [
      join(work, '.claude', 'settings.local.json'),
      join(home, '.claude', 'settings.json'),
    ]
    const before = readFileSync(files[1] ?? '', 'utf8')
    await play([
      [{ tool: 'Read', input: { file_path: join(work, 'x') } }],
      async () => {
        mkdirSync(join(work, '.claude'), { recursive: true })
        for (const file of files) writeFileSync(file, JSON.stringify({ disableAllHooks: true }))
        // The client looks at its settings again within two seconds.
        await new Promise((resolve) => setTimeout(resolve, 4000))
        return [write('off.txt')]
      },
      [{ text: 'Done.' }],
    ])
    writeFileSync(files[1] ?? '', before)
    rmSync(files[0] ?? '')
    expect(existsSync(join(work, 'off.txt'))).toBe(false)
  })

  test('no answer means no: with the server dead nothing is written', async () => {
    await play([
      [transition('READY')],
      async () => {
        await server.kill('SIGKILL')
        return [write('dead.txt')]
      },
      () => [{ tool: 'Bash', input: { command: `echo x > ${work}/dead.txt` } }],
      [{ text: 'Done.' }],
    ])
    expect(existsSync(join(work, 'dead.txt'))).toBe(false)
    expect(model?.requests.length).toBe(4)
  })
})

describe.skipIf(!isTried)('installing into Claude Code', limits, () => {
  beforeAll(open, limits.timeout)
  afterAll(close)

  test('without us the same client writes at once', async () => {
    await play(earlyAndLate)
    expect(existsSync(join(work, 'early.txt'))).toBe(true)
  })

  test('a project is held by itself, and a second installation is refused', async () => {
    expect(await install('install', '--project')).toMatch(/^0\n/)
    await expectHeld()
    expect(await install('install', '--user')).toMatch(/^2\nusage: It is installed already/)
    // Once more for the same project replaces what is there.
    expect(await install('install', '--project')).toMatch(/^0\n/)
    await expectHeld()
  })

  test('no answer means no: a key that was revoked writes nothing', async () => {
    await play([
      [transition('READY')],
      async () => {
        await revokeAgents()
        return [write('revoked.txt')]
      },
      [{ text: 'Done.' }],
    ])
    expect(existsSync(join(work, 'revoked.txt'))).toBe(false)
    expect(given(2)).toContain('unauthenticated')
  })

  test('uninstall gives back every byte, and the client writes again', async () => {
    expect(await install('uninstall', '--project')).toMatch(/^0\n/)
    expect(existsSync(join(work, '.claude'))).toBe(false)
    const files = {
      [join(home, '.claude.json')]: '{"numStartups": 3,\n "mcpServers":{"x":{"command":"y"}} }',
      [join(home, '.claude', 'settings.json')]: '{\n\t"model": "opus",\n\t"hooks": {}\n}\n',
    }
    for (const [path, text] of Object.entries(files)) writeFileSync(path, text)
    expect(await install('install', '--user')).toMatch(/^0\n/)
    for (const path of Object.keys(files)) expect(readFileSync(path, 'utf8')).toContain(server.url)
    const taken = await install('uninstall', '--user')
    expect(taken).toMatch(/^0\n/)
    expect(taken).not.toContain('still counts')
    for (const [path, text] of Object.entries(files)) expect(readFileSync(path, 'utf8')).toBe(text)
    expect(await install('uninstall', '--user')).toMatch(/^4\nnot_found/)
  })

  test('a broken settings file is refused and left as it is', async () => {
    const file = join(home, '.claude', 'settings.json')
    const servers = readFileSync(join(home, '.claude.json'), 'utf8')
    writeFileSync(file, '{ "hooks": ')
    expect(await install('install', '--user')).toMatch(/^2\nconfig_invalid/)
    expect(readFileSync(file, 'utf8')).toBe('{ "hooks": ')
    expect(readFileSync(join(home, '.claude.json'), 'utf8')).toBe(servers)
  })
})

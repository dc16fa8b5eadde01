import { execFileSync } from 'node:child_process'
import {
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
import type { Json } from '@statewright/core/internal'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ownAdapter } from '../../../testing/adapters.ts'
import { agent, openRuntime, type RuntimeWorld, save, start } from '../../../testing/runtime.ts'
import { type OpenCall, openCall } from '../../guard/guarded-call.ts'
import { transition } from '../../runtime/runs/change-run.ts'
import type { RuntimeSettings } from '../../runtime/settings.ts'
import { findSandbox, type SandboxFound } from '../../sandbox/find-sandbox.ts'
import type { ToolOutcome } from '../ports.ts'
import { createToolRunner } from '../tools/tool-runner.ts'
import { callCommands } from './call-commands.ts'

let world: RuntimeWorld
let workspace: string
beforeEach(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'statewright-held-')))
})
afterEach(async () => {
  await world.close()
  rmSync(workspace, { recursive: true, force: true })
})

const found = await findSandbox()
const hasCage = found.kind === 'bubblewrap'
const noSandbox: SandboxFound = { kind: 'none', why: 'a test without one.', shell: '/bin/bash' }

/** The runner itself, as if the decision had been fooled: all that is judged is a harmless call. */
async function begin(
  state: object | null,
  options: { sandbox?: SandboxFound; settings?: Partial<RuntimeSettings>; tool?: string } = {},
) {
  const environment = { PATH: process.env.PATH, LANG: 'C', TZ: 'UTC', DATABASE_URL: 'hush' }
  const sandbox = options.sandbox ?? found
  world = await openRuntime({ settings: options.settings, guard: { sandbox, environment } })
  let runId: string | null = null
  if (state !== null) {
    const states = { one: { on: { NEXT: 'two' }, ...state }, two: { type: 'final' } }
    await save(world.runtime, { id: 'held', initial: 'one', states })
    runId = await start(world.runtime, agent, { workflow: 'held', workspace })
  }
  const { tool = 'bash' } = options
  const harmless = { session: 's', tool, input: { command: 'true' } }
  const request = runId === null ? harmless : { ...harmless, run: runId }
  const opened = await openCall(world.guard, ownAdapter, agent, request)
  const runner = createToolRunner({ commandsFor: callCommands(world.guard) })
  const toolRun = (name: string, args: Json, open: OpenCall) => ({
    sessionId: 'sess_1',
    runId: 'toolrun_1',
    callId: 'call_1',
    name,
    arguments: args,
    projectPath: workspace,
    open,
    signal: AbortSignal.timeout(20_000),
  })
  const run = async (name: string, args: Json): Promise<ToolOutcome> => {
    if (!opened.ok) return { status: 'failed', error: opened.error.message }
    return runner.run(toolRun(name, args, opened.value))
  }
  /** Commands of one tool call, one after the other. */
  const inOneCall = async () => {
    if (!opened.ok) throw new Error(opened.error.message)
    const commands = await callCommands(world.guard)(toolRun(tool, null, opened.value))
    if (!commands.ok) throw new Error(commands.error.message)
    const { runChild, environment } = commands.value
    return async (command: string) =>
      runChild({
        argv: ['/bin/bash', '-c', command],
        cwd: workspace,
        environment,
        timeoutMs: 20_000,
        outputBytes: 10_000,
      })
  }
  const bash = async (command: string) => {
    const outcome = await run('bash', { command })
    return outcome.status === 'succeeded' ? outcome.output : outcome.status
  }
  return { run, bash, inOneCall, runId }
}

describe.skipIf(!hasCage)('commands of a session in a cage', () => {
  test('SH-14, SE-10: a read-only state is read-only, whatever was decided', async () => {
    const { run, bash } = await begin({ allowed_tools: ['Read', 'Bash'] })
    expect(await bash('echo x > made; cat made')).toMatch(/Read-only file system/)
    const touch = { command: ['touch', join(workspace, 'made')] }
    expect(await run('run_command', touch)).toMatchObject({ status: 'succeeded', isError: true })
    expect(existsSync(join(workspace, 'made'))).toBe(false)
  })

  test('SH-14: where the state may write, the workspace is writable and nothing else', async () => {
    const { bash } = await begin({ allowed_tools: ['Write', 'Bash'] })
    expect(await bash('echo x > made; echo y > /usr/outside')).toMatch(/Read-only file system/)
    expect(existsSync(join(workspace, 'made'))).toBe(true)
  })

  test.each([
    { bound: 'bound to a run', state: {} },
    { bound: 'bound to nothing', state: null },
  ])('SH-14: keys of clients and our data are hidden, $bound', async ({ state }) => {
    // In the workspace, where everything else can be seen.
    const home = join(workspace, 'home')
    for (const folder of ['.claude', 'ours', 'open']) {
      mkdirSync(join(home, folder), { recursive: true })
      writeFileSync(join(home, folder, 'note'), `note of ${folder}`)
    }
    const settings = { home, protectedPaths: [join(home, 'ours')] }
    const { bash } = await begin(state, { settings })
    const text = await bash('cat home/.claude/note home/ours/note home/open/note')
    // What went to which of the two pipes comes in any order.
    expect(text).toMatch(/^exit_1: /)
    expect(text).toContain('note of open')
    expect(text.match(/cat: home\/(?:\.claude|ours)\/note: /g)).toHaveLength(2)
  })

  test('SH-14, SH-18: without a run neither settings change nor what runs later', async () => {
    const { bash } = await begin(null)
    writeFileSync(join(workspace, '.mcp.json'), '{}')
    expect(await bash('echo x > .mcp.json; echo y > .npmrc')).toMatch(/Read-only file system/)
    expect(existsSync(join(workspace, '.npmrc'))).toBe(false)
  })

  test('SE-10c: a refused write is reported beside what the command printed', async () => {
    const { bash } = await begin(null)
    const text = await bash('echo begun; echo x > .mcp.json; sleep 0.2; echo over')
    expect(text).toContain('begun')
    expect(text).toContain(`${join(workspace, '.mcp.json')} is protected; what was created there`)
    expect(existsSync(join(workspace, '.mcp.json'))).toBe(false)
  })

  test('SH-18: a script cannot change what git, CI or an editor runs later', async () => {
    execFileSync('git', ['init', '-q'], { cwd: workspace })
    mkdirSync(join(workspace, '.github/workflows'), { recursive: true })
    mkdirSync(join(workspace, '.git/modules/one/hooks'), { recursive: true })
    writeFileSync(join(workspace, '.git/modules/one/HEAD'), '')
    const attacks = {
      '.git/commondir': '../evil',
      '.git/config.worktree': '[core] fsmonitor = ./evil.sh',
      '.git/info/attributes': '* filter=evil',
      '.git/hooks/post-index-change': '#!/bin/sh',
      '.git/modules/one/config': '[core] fsmonitor = ./evil.sh',
      '.git/modules/one/hooks/post-checkout': '#!/bin/sh',
      '.github/workflows/evil.yml': 'on: push',
      '.vscode/tasks.json': '{}',
      '.husky/pre-commit': 'evil',
      '.yarnrc.yml': 'yarnPath: ./evil.cjs',
    }
    const lines = Object.entries(attacks).map(
      ([path, text]) => `mkdir -p "$(dirname ${path})"; printf '%s' '${text}' > ${path}`,
    )
    const evil = ['mkdir -p evil; cp -r .git/objects .git/refs .git/HEAD evil/']
    evil.push("printf '[core]\\n\\tfsmonitor = touch escaped; false\\n' > evil/config")
    writeFileSync(join(workspace, 't.sh'), [...evil, ...lines].join('\n'))
    const { bash } = await begin({})
    await bash('bash t.sh')
    expect(existsSync(join(workspace, 'evil/config'))).toBe(true)
    const made = Object.keys(attacks).filter((path) => existsSync(join(workspace, path)))
    expect(made).toEqual([])
    execFileSync('git', ['status'], { cwd: workspace })
    expect(existsSync(join(workspace, 'escaped'))).toBe(false)
    // What git itself writes is written.
    const identity = '-c user.name=a -c user.email=a@b.c'
    expect(
      await bash(`git add t.sh && git ${identity} commit -qm one && git log --oneline`),
    ).toMatch(/one/)
  })

  test('SH-14: each command of a call is held by what is on the disk when it starts', async () => {
    const { inOneCall } = await begin(null)
    const command = await inOneCall()
    expect(await command('true')).toMatchObject({ type: 'exited', code: 0 })
    const settings = join(workspace, '.mcp.json')
    writeFileSync(settings, '{}')
    expect(await command('echo x > .mcp.json')).toMatchObject({ code: 1 })
    expect(readFileSync(settings, 'utf8')).toBe('{}')
  })

  test('SH-14: a state may do without a sandbox', async () => {
    const { bash } = await begin({ allowed_tools: ['Read', 'Bash'], sandbox: 'off' })
    expect(await bash('echo x > made && cat made')).toBe('x\n')
  })
})

describe('commands of a session', () => {
  test('SH-14: nothing runs where a sandbox is required and there is none', async () => {
    const state = { sandbox: 'required' }
    const { run } = await begin(state, { sandbox: noSandbox })
    const outcome = await run('bash', { command: 'touch made' })
    expect(outcome).toMatchObject({ status: 'failed', error: expect.stringContaining('sandbox') })
    expect(existsSync(join(workspace, 'made'))).toBe(false)
  })

  test('SH-14: nor does git, while what starts no command goes on', async () => {
    execFileSync('git', ['init', '-q'], { cwd: workspace })
    writeFileSync(join(workspace, 'notes'), 'read me')
    const without = { sandbox: noSandbox, tool: 'git_status' }
    const { run } = await begin({ sandbox: 'required' }, without)
    const outcome = await run('git_status', {})
    expect(outcome).toMatchObject({ isError: true, output: expect.stringContaining('sandbox') })
    expect(await run('read_file', { path: 'notes' })).toMatchObject({ isError: false })
  })

  test('SH-14: the configuration decides where no state does', async () => {
    const settings = { sandbox: 'required' } as const
    const { run } = await begin(null, { sandbox: noSandbox, settings })
    expect(await run('bash', { command: 'true' })).toMatchObject({ status: 'failed' })
  })

  test('SH-12: blocked variables are gone and overrides are set', async () => {
    const { bash } = await begin({ blocked_env: ['TZ'], env_overrides: { MODE: 'dry' } })
    expect(await bash('echo "[$TZ][$LANG][$MODE][$DATABASE_URL]"')).toBe('[][C][dry][]\n')
  })

  test('SH-16: a command is over before the run moves on, and none begins after it', async () => {
    const { bash, run, runId } = await begin({ background: true })
    const running = bash('echo > started; sleep 4714')
    await vi.waitUntil(() => existsSync(join(workspace, 'started')), { timeout: 10_000 })
    const moved = await transition(world.runtime, agent, { run: runId ?? '', event: 'NEXT' })
    expect(moved.ok).toBe(true)
    expect(await running).toBe('canceled')
    expect(await run('bash', { command: 'touch late' })).toMatchObject({
      status: 'succeeded',
      isError: true,
      output: expect.stringContaining('run_not_active'),
    })
  })
})

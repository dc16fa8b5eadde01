import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { ownAdapter } from '../../testing/adapters.ts'
import { agent, ann, openRuntime, type RuntimeWorld, save, start } from '../../testing/runtime.ts'
import { resolveApproval } from '../runtime/runs/approvals.ts'
import { transition } from '../runtime/runs/change-run.ts'
import { findSandbox } from '../sandbox/find-sandbox.ts'
import { openCall } from './guarded-call.ts'
import { runCommand } from './run-command.ts'

let world: RuntimeWorld
afterEach(() => world.close())

const machine = {
  sandbox: await findSandbox(),
  environment: { PATH: process.env.PATH, SECRET: 'hush', DATABASE_URL: 'hush' },
}
const hasCage = machine.sandbox.kind === 'bubblewrap'

async function begin(state: object, more: object = {}) {
  world = await openRuntime({ guard: machine })
  const states = { one: { on: { NEXT: 'two' }, ...state }, two: { type: 'final' } }
  await save(world.runtime, { id: 'shell', initial: 'one', states, ...more })
  const workspace = realpathSync(world.folder)
  const runId = await start(world.runtime, agent, { workflow: 'shell', workspace })
  const harmless = { run: runId, tool: 'Bash', input: { command: 'true' } }
  const opened = await openCall(world.guard, ownAdapter, agent, harmless)
  if (!opened.ok) throw new Error(opened.error.message)
  const run = (command: string, cwd = workspace) =>
    runCommand(world.guard, {
      open: opened.value,
      tool: 'Bash',
      input: { command },
      command,
      workspace,
      cwd,
      timeoutMs: 20_000,
      outputLimit: 10_000,
      signal: AbortSignal.timeout(20_000),
    })
  return { run, workspace, runId }
}

test('SH-12: what we start ourselves gets a listed environment, cut and set', async () => {
  const { run } = await begin({ env_overrides: { MODE: 'dry' }, sandbox: 'off' })
  const done = await run('env')
  expect(done).toMatchObject({ ok: true, value: { exit: 0, isCaged: false } })
  expect(done.ok && done.value.stdout).toContain('MODE=dry')
  expect(done.ok && done.value.stdout).not.toContain('hush')
})

test.skipIf(!hasCage)(
  'SH-14: it runs in a sandbox by itself, read-only where the state is',
  async () => {
    const { run, workspace } = await begin({ allowed_tools: ['Read', 'Bash'] })
    expect(await run('echo x > made')).toMatchObject({ value: { exit: 1, isCaged: true } })
    expect(existsSync(join(workspace, 'made'))).toBe(false)
  },
)

test.skipIf(!hasCage)(
  'SH-14: no folder of sockets comes back into the sandbox by standing in it',
  async () => {
    const { run } = await begin({})
    const other = realpathSync(mkdtempSync(join(tmpdir(), 'statewright-sockets-')))
    const service = createServer((socket) => socket.end('hello'))
    try {
      await new Promise<void>((resolve) => service.listen(join(other, 'service'), resolve))
      expect(await run('ls', other)).toMatchObject({
        ok: false,
        error: { code: 'sandbox_required', message: expect.stringContaining(other) },
      })
      expect(await run(`ls ${other}`)).toMatchObject({ value: { exit: 2, isCaged: true } })
    } finally {
      service.close()
      rmSync(other, { recursive: true, force: true })
    }
  },
)

test.skipIf(!hasCage)(
  'SH-18: what it makes where nothing may come into being is put aside, and told',
  async () => {
    const { run, workspace } = await begin({})
    for (const [name, command] of [
      ['.mcp.json', 'echo "{}" > .mcp.json; while :; do sleep 0.1; done'],
      ['sub/.git/hooks', 'git init -q sub; echo x > sub/.git/hooks/update; sleep 4711'],
    ] as const) {
      const path = join(workspace, name)
      const done = await run(command)
      expect(done.ok && done.value.stderr).toContain(`${path} is protected; what was created there`)
      expect(existsSync(path)).toBe(false)
    }
  },
)

test('SH-16: it is over before a transition is committed', async () => {
  const { run, runId, workspace } = await begin({ background: true })
  const running = run('echo > started; sleep 4713')
  await vi.waitUntil(() => existsSync(join(workspace, 'started')), { timeout: 10_000 })
  const moved = await transition(world.runtime, agent, { run: runId, event: 'NEXT' })
  expect(moved.ok).toBe(true)
  expect(await running).toMatchObject({ ok: true, value: { ended: 'stopped' } })
  expect(await run('true')).toMatchObject({ ok: false, error: { code: 'run_not_active' } })
})

test('WF-22, SH-16: it goes on while a transition waits for a person, and no longer', async () => {
  const { run, runId, workspace } = await begin(
    { on: { NEXT: { target: 'two', requires_approval: true } }, sandbox: 'off', background: true },
    { meta: { approval_mode: 'ui' } },
  )
  const running = run('echo > started; sleep 4715')
  await vi.waitUntil(() => existsSync(join(workspace, 'started')), { timeout: 10_000 })
  const request = await transition(world.runtime, agent, { run: runId, event: 'NEXT' })
  expect(request).toMatchObject({ ok: true, value: { answer: { type: 'pending_approval' } } })
  expect(await run('true')).toMatchObject({ ok: true, value: { exit: 0 } })
  const [approval] = await world.runtime.store.approvals.list({ status: 'waiting', limit: 1 })
  const approvalId = approval?.approvalId ?? ''
  await resolveApproval(world.runtime, ann, { approvalId, verdict: 'approve' })
  expect(await running).toMatchObject({ ok: true, value: { ended: 'stopped' } })
})

/** Holds the next commit back, as a slow disk would. */
function slowDisk() {
  const { runs } = world.runtime.store
  const append = runs.append.bind(runs)
  const begun = Promise.withResolvers<void>()
  const disk = Promise.withResolvers<void>()
  const slow: typeof append = async (runId, batch) => {
    begun.resolve()
    await disk.promise
    return append(runId, batch)
  }
  Object.assign(runs, { append: slow })
  return { begun: begun.promise, goOn: () => disk.resolve() }
}

test('SH-16: it does not begin while a transition is being committed', async () => {
  const { run, runId, workspace } = await begin({ sandbox: 'off' })
  const commit = slowDisk()
  const moving = transition(world.runtime, agent, { run: runId, event: 'NEXT' })
  await commit.begun
  const running = run('echo > made')
  // Long enough for a command to begin that does not wait for the commit.
  await Promise.race([running, new Promise((resolve) => setTimeout(resolve, 200))])
  commit.goOn()
  expect((await moving).ok).toBe(true)
  expect(await running).toMatchObject({ ok: false, error: { code: 'run_not_active' } })
  expect(existsSync(join(workspace, 'made'))).toBe(false)
})

test('SH-15, SH-16: a state that was left and entered again is another one', async () => {
  const { run, runId } = await begin({ on: { AGAIN: 'one', NEXT: 'two' }, sandbox: 'off' })
  expect(await run('true')).toMatchObject({ ok: true })
  await transition(world.runtime, agent, { run: runId, event: 'AGAIN' })
  expect(await run('true')).toMatchObject({ ok: false, error: { code: 'run_not_active' } })
})

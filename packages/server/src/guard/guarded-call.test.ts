import { afterEach, describe, expect, test } from 'vitest'
import { ownAdapter, plainAdapter } from '../../testing/adapters.ts'
import { agent, ann, openRuntime, type RuntimeWorld, save, start } from '../../testing/runtime.ts'
import { expireApprovals, resolveApproval } from '../runtime/runs/approvals.ts'
import { transition } from '../runtime/runs/change-run.ts'
import { allEntries } from '../runtime/runs/read-run.ts'
import type { RuntimeSettings } from '../runtime/settings.ts'
import type { SandboxFound } from '../sandbox/find-sandbox.ts'
import { finishCall } from './finish-call.ts'
import { createGuard, type Guard } from './guard.ts'
import { type Adapter, openCall } from './guarded-call.ts'

let world: RuntimeWorld
afterEach(() => world.close())

/** As if the machine had one: nothing is run here. */
const sandbox: SandboxFound = {
  kind: 'bubblewrap',
  program: '/usr/bin/bwrap',
  shell: '/bin/bash',
  disablesUserNamespaces: true,
  filtersSockets: true,
}

async function begin(
  state: object,
  more: { policy?: object; settings?: Partial<RuntimeSettings>; two?: object } = {},
) {
  const { policy = {}, settings = {}, two = { type: 'final' } } = more
  world = await openRuntime({ settings: settings, guard: { sandbox } })
  const states = { one: { on: { NEXT: 'two' }, ...state }, two, end: { type: 'final' } }
  await save(world.runtime, { id: 'w', initial: 'one', states, policy })
  return start(world.runtime, agent, { workflow: 'w' })
}

const bash = (run: string, command = 'ls') => ({ run, tool: 'Bash', input: { command } })
const kinds = async (run: string) =>
  (await allEntries(world.runtime, run)).map(({ entry }) => entry.type)

describe('a way in that cannot hold a call', () => {
  test.each([
    ['sandbox_required', { sandbox: 'required' }],
    ['environment_required', { env_overrides: { MODE: 'dry' } }],
  ])('SH-12, SH-14: denies with %s before anything is counted', async (code, state) => {
    const run = await begin({ ...state, max_iterations: 1 })
    const denied = await openCall(world.guard, plainAdapter, agent, bash(run))
    expect(denied).toMatchObject({ ok: false, error: { decision: 'deny', code } })
    // The one call that the state allows is still there for a way in that can.
    expect(await openCall(world.guard, ownAdapter, agent, bash(run))).toMatchObject({ ok: true })
  })

  test('SH-14: cannot ride on an allow that another way in was given', async () => {
    const run = await begin({ sandbox: 'required' })
    const call = { ...bash(run), callId: 'same' }
    expect(await openCall(world.guard, ownAdapter, agent, call)).toMatchObject({ ok: true })
    expect(await openCall(world.guard, plainAdapter, agent, call)).toMatchObject({
      ok: false,
      error: { code: 'sandbox_required' },
    })
  })

  test('SH-9: is told of blocked variables by denials of reading them', async () => {
    const run = await begin({ blocked_env: ['KEY'] })
    expect(await openCall(world.guard, plainAdapter, agent, bash(run))).toMatchObject({ ok: true })
    const reading = await openCall(world.guard, plainAdapter, agent, bash(run, 'echo $KEY'))
    expect(reading).toMatchObject({ ok: false, error: { code: 'env_blocked' } })
  })
})

describe('what we run ourselves', () => {
  test('SH-14: is held by the configuration where no run judges', async () => {
    await begin({})
    const request = { session: 'nobody', tool: 'bash', input: { command: 'ls' } }
    const opened = await openCall(world.guard, ownAdapter, agent, request)
    expect(opened).toMatchObject({
      ok: true,
      value: { runId: null, plan: { sandbox: 'writable' } },
    })
  })

  test('SH-14: does not run without a sandbox where the configuration requires one', async () => {
    await begin({}, { settings: { sandbox: 'required' } })
    const bare = createGuard({ runtime: world.runtime })
    const request = { session: 'nobody', tool: 'bash', input: { command: 'ls' } }
    expect(await openCall(bare, ownAdapter, agent, request)).toMatchObject({
      ok: false,
      error: { code: 'sandbox_required' },
    })
  })
})

describe('a call that a person is asked about', () => {
  const asking = { policy: { ask: [{ capability: 'bash' }] } }
  const patient: Adapter = { ...plainAdapter, waitsMs: 60_000 }

  async function request(): Promise<string> {
    for (;;) {
      const [found] = await world.runtime.store.approvals.list({ status: 'waiting', limit: 1 })
      if (found !== undefined) return found.approvalId
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  test('PO-7: is told of at once where the way in does not wait', async () => {
    const run = await begin({}, asking)
    const opened = await openCall(world.guard, plainAdapter, agent, bash(run))
    expect(opened).toMatchObject({
      ok: false,
      error: { decision: 'ask', code: 'approval_required', approvalId: await request() },
    })
  })

  test('PO-7: goes on when they approve', async () => {
    const run = await begin({}, asking)
    const call = openCall(world.guard, patient, agent, { ...bash(run), callId: 'c' })
    await resolveApproval(world.runtime, ann, { approvalId: await request(), verdict: 'approve' })
    const opened = await call
    expect(opened).toMatchObject({ ok: true, value: { runId: run, callId: 'c' } })
    // Its result comes under the id by which it was asked about.
    const ended = await finishCall(world.runtime, agent, {
      run,
      callId: 'c',
      bytes: 1,
      exit: 'success',
      source: 'observed',
    })
    expect(ended.ok).toBe(true)
    expect(await kinds(run)).toContain('call_finished')
  })

  test('PO-7: is denied when they reject, with what they wrote', async () => {
    const run = await begin({}, asking)
    const call = openCall(world.guard, patient, agent, bash(run))
    const answer = { approvalId: await request(), verdict: 'reject', note: 'Use make.' } as const
    await resolveApproval(world.runtime, ann, answer)
    expect(await call).toMatchObject({
      ok: false,
      error: { code: 'approval_rejected', message: expect.stringContaining('Use make.') },
    })
  })

  test('PO-7: is denied when nobody answers in time', async () => {
    const run = await begin({}, { ...asking, settings: { askTimeoutMs: 1 } })
    const call = openCall(world.guard, patient, agent, bash(run))
    await request()
    await expect.poll(() => expireApprovals(world.runtime)).toBe(1)
    expect(await call).toMatchObject({ ok: false, error: { code: 'approval_expired' } })
  })

  test('WF-28: is denied when the run ends meanwhile', async () => {
    const run = await begin({}, asking)
    const call = openCall(world.guard, patient, agent, bash(run))
    await request()
    expect((await transition(world.runtime, agent, { run, event: 'NEXT' })).ok).toBe(true)
    expect(await call).toMatchObject({ ok: false, error: { code: 'approval_withdrawn' } })
  })

  test('PO-7: waits no longer than the caller does', async () => {
    const run = await begin({}, asking)
    const stop = new AbortController()
    const call = openCall(world.guard, patient, agent, bash(run), { signal: stop.signal })
    await request()
    stop.abort()
    expect(await call).toMatchObject({ ok: false, error: { decision: 'ask' } })
  })

  test('ND-4: waits no longer than the server runs, and may be asked about again', async () => {
    const run = await begin({}, asking)
    const call = openCall(world.guard, patient, agent, bash(run))
    const approvalId = await request()
    world.guard.waiters.close()
    expect(await call).toMatchObject({ ok: false, error: { decision: 'ask', approvalId } })
  })

  test('PO-7: every call that waits counts, also where all wait for one answer', async () => {
    const run = await begin({}, asking)
    const stop = new AbortController()
    const maxTwo = { ...patient, maxWaiting: 2 }
    const open = () => openCall(world.guard, maxTwo, agent, bash(run), { signal: stop.signal })
    const waiting = [open(), open()]
    await expect.poll(() => world.guard.waiters.size).toBe(2)
    expect(await open()).toMatchObject({ ok: false, error: { decision: 'ask' } })
    stop.abort()
    expect((await Promise.all(waiting)).map(({ ok }) => ok)).toEqual([false, false])
  })

  test('PO-7: one answer lets one call through, however many wait for it', async () => {
    const run = await begin({}, asking)
    const stop = new AbortController()
    const open = () => openCall(world.guard, patient, agent, bash(run), { signal: stop.signal })
    const calls = [open(), open(), open()]
    await expect.poll(() => world.guard.waiters.size).toBe(3)
    await resolveApproval(world.runtime, ann, { approvalId: await request(), verdict: 'approve' })
    expect(await Promise.race(calls)).toMatchObject({ ok: true })
    await request()
    stop.abort()
    const opened = (await Promise.all(calls)).filter(({ ok }) => ok)
    expect(opened).toHaveLength(1)
  })

  test('PO-7c: an approval serves in the state that the question showed', async () => {
    const two = { env_overrides: { KUBECONFIG: 'production' }, on: { BACK: 'one', END: 'end' } }
    const run = await begin({ env_overrides: { KUBECONFIG: 'staging' } }, { ...asking, two })
    const ask = () => openCall(world.guard, ownAdapter, agent, bash(run))
    expect(await ask()).toMatchObject({ error: { decision: 'ask' } })
    await resolveApproval(world.runtime, ann, { approvalId: await request(), verdict: 'approve' })
    await transition(world.runtime, agent, { run, event: 'NEXT' })
    expect(await ask()).toMatchObject({ error: { decision: 'ask' } })
    // That question is rejected, which holds in every state.
    const answer = { approvalId: await request(), verdict: 'reject', note: 'no' } as const
    await resolveApproval(world.runtime, ann, answer)
    await transition(world.runtime, agent, { run, event: 'BACK' })
    expect(await ask()).toMatchObject({ error: { code: 'approval_rejected' } })
  })

  test('PO-7c: and is still good when the run comes back to it', async () => {
    const run = await begin({}, { ...asking, two: { on: { BACK: 'one', END: 'end' } } })
    const ask = () => openCall(world.guard, ownAdapter, agent, bash(run))
    expect(await ask()).toMatchObject({ error: { decision: 'ask' } })
    await resolveApproval(world.runtime, ann, { approvalId: await request(), verdict: 'approve' })
    for (const event of ['NEXT', 'BACK']) await transition(world.runtime, agent, { run, event })
    expect(await ask()).toMatchObject({ ok: true })
  })

  test('PO-7: does not wait where too many wait already', async () => {
    const run = await begin({}, asking)
    const full = { ...patient, maxWaiting: 0 }
    expect(await openCall(world.guard, full, agent, bash(run))).toMatchObject({
      ok: false,
      error: { decision: 'ask' },
    })
  })
})

describe('observe mode', () => {
  test('lets pass what would be denied, and says what that is', async () => {
    const run = await begin({ allowed_tools: ['Read'] }, { settings: { mode: 'observe' } })
    expect(await openCall(world.guard, plainAdapter, agent, bash(run))).toMatchObject({
      ok: true,
      value: { would: { decision: 'deny', code: 'tool_not_allowed' } },
    })
  })

  test('SH-18: denies what reaches for its guard all the same', async () => {
    const settings = { mode: 'observe', protectedPaths: ['/srv/keys'] } as const
    const run = await begin({}, { settings })
    const reading = { run, tool: 'Read', input: { file_path: '/srv/keys/token' } }
    expect(await openCall(world.guard, plainAdapter, agent, reading)).toMatchObject({
      ok: false,
      error: { decision: 'deny', code: 'self_protection' },
    })
  })
})

describe('a failure of ours', () => {
  const broken = (): { guard: Guard; faults: unknown[] } => {
    const faults: unknown[] = []
    const live = { get: () => Promise.reject(new Error('disk on fire')) }
    // A broken one.
    const runtime = { ...world.runtime, live } as unknown as RuntimeWorld['runtime']
    return { guard: createGuard({ runtime, onFault: (fault) => faults.push(fault) }), faults }
  }

  test('denies, and tells the agent nothing of it', async () => {
    const run = await begin({})
    const { guard, faults } = broken()
    const opened = await openCall(guard, plainAdapter, agent, bash(run))
    expect(opened).toMatchObject({ ok: false, error: { decision: 'deny', code: 'internal' } })
    expect(JSON.stringify(opened)).not.toContain('fire')
    expect(faults).toHaveLength(1)
  })

  test('unknown_run: a run that is not there is no failure of ours', async () => {
    await begin({})
    const opened = await openCall(world.guard, plainAdapter, agent, bash('run_nowhere'))
    expect(opened).toMatchObject({ ok: false, error: { decision: 'deny', code: 'unknown_run' } })
  })
})

describe('the result of a call', () => {
  test('WF-31: is recorded once, as the way in saw it', async () => {
    const run = await begin({})
    const opened = await openCall(world.guard, ownAdapter, agent, bash(run))
    if (!opened.ok) throw new Error(opened.error.message)
    expect(await opened.value.finish({ bytes: 3, exit: 'success' })).toEqual({
      ok: true,
      value: [],
    })
    await opened.value.finish({ bytes: 5, exit: 'failure' })
    const entries = await allEntries(world.runtime, run)
    const ended = entries.filter(({ entry }) => entry.type === 'call_finished')
    expect(ended.map(({ entry }) => entry)).toMatchObject([
      { bytes: 3, exit: 'success', cause: { source: 'observed' } },
    ])
  })

  test('WF-31, PO-6: of a call whose end is seen is not for the agent to say', async () => {
    const run = await begin({ context_budget_bytes: 100 })
    const opened = await openCall(world.guard, ownAdapter, agent, bash(run))
    if (!opened.ok) throw new Error(opened.error.message)
    const { callId } = opened.value
    const output = { run, callId, bytes: 0, exit: 'failure', source: 'reported' } as const
    expect(await finishCall(world.runtime, agent, output)).toMatchObject({
      ok: false,
      error: { code: 'not_permitted' },
    })
    await opened.value.finish({ bytes: 200, exit: 'success' })
    // What really came of it counts.
    expect(await openCall(world.guard, ownAdapter, agent, bash(run))).toMatchObject({
      ok: false,
      error: { code: 'context_budget_exhausted' },
    })
  })

  test('of a run that ended meanwhile is lost, and nobody minds', async () => {
    const run = await begin({})
    const opened = await openCall(world.guard, ownAdapter, agent, bash(run))
    await transition(world.runtime, agent, { run, event: 'NEXT' })
    if (!opened.ok) throw new Error(opened.error.message)
    expect(await opened.value.finish({ bytes: 3, exit: 'success' })).toMatchObject({ ok: true })
    expect(await kinds(run)).toContain('run_ended')
  })
})

import { describe, expect, test } from 'vitest'
import { limits } from '../base/limits.ts'
import type { AgentAction } from './actions.ts'
import {
  at,
  calling,
  checkedStep,
  eventsFor,
  executing,
  hooking,
  hookNamed,
  play,
  running,
} from './agent.test-kit.ts'
import { HookConfig, HooksFile, wantsHook } from './hook-config.ts'
import { brokenInvariants, brokenStep } from './invariants.test-kit.ts'
import { isMutatingCall } from './mutating.ts'
import { recovery } from './recover.ts'
import type { AgentState } from './state.ts'
import { dueEvent, nextWake } from './timers.ts'

const facts = (state: AgentState) => ({
  ids: { streamId: 'turn_9', requestId: 'req_9', toolRunIds: ['t9', 't8'], hookRunIds: ['h9'] },
  eventId: `evt_${state.kind}`,
})

const reported = (actions: readonly AgentAction[]) =>
  actions.flatMap((action) => {
    if (action.type !== 'emit_state_event') return []
    const { event } = action
    return [event.type === 'state_changed' ? `-> ${event.to}` : event.type]
  })

describe('order of telling', () => {
  test('SE-8: the end of a tool is told before the change that it causes', () => {
    const state = running(['!edit_file'], [hookNamed('format')])
    const step = checkedStep(state, eventsFor(state).ended(at(state.batch, 0)))
    expect(reported(step.actions)).toEqual([
      'tool_lifecycle',
      '-> post_tools_hook',
      'hook_lifecycle',
    ])
  })

  test('SE-6: the end of a hook is told before the change that it causes', () => {
    const state = hooking([hookNamed('format')])
    const step = checkedStep(state, eventsFor(state).hookEnded(at(state.pipeline, 0)))
    expect(reported(step.actions)).toEqual(['hook_lifecycle', '-> calling_llm'])
  })

  test('SE-4: an error is told before the change to error', () => {
    const state = running(['!edit_file'])
    const step = checkedStep(state, eventsFor(state).ended(at(state.batch, 0), 'failed'))
    expect(reported(step.actions)).toEqual(['tool_lifecycle', 'session_error', '-> error'])
  })
})

describe('a batch', () => {
  test('SE-4: a failed tool lets the others finish, and the first failure is told', () => {
    const state = running(['grep', 'read_file', 'grep'])
    const [a, b, c] = [0, 1, 2].map((index) => at(state.batch, index))
    const two = play(
      state,
      (now) => eventsFor(now).ended(c ?? '', 'failed'),
      (now) => eventsFor(now).ended(b ?? '', 'failed'),
    )
    expect(two.kind).toBe('executing_tools')
    const done = play(two, (now) => eventsFor(now).ended(a ?? ''))
    expect(done.kind).toBe('error')
    expect(done.retryTarget).toEqual({ kind: 'tool', runId: b })
    expect(done.wakeAt).toBe(1500)
  })

  test('SE-5: only the failed run is run again, as the next attempt of the same call', () => {
    const state = running(['grep', 'grep'])
    const failed = play(
      state,
      (now) => eventsFor(now).ended(at(now.batch, 0), 'failed'),
      (now) => eventsFor(now).ended(at(now.batch, 1)),
    )
    const runId = at(failed.batch, 0)
    const step = checkedStep(failed, eventsFor(failed).retry({ kind: 'tool', runId }))
    const request = step.actions.find(({ type }) => type === 'execute_tools')
    expect(request).toMatchObject({ tools: [{ attempt: 2, call: { callId: 'call_1' } }] })
    expect(step.state.toolRuns.find((run) => run.runId === runId)?.status).toBe('failed')
  })

  test('SE-5: used up, every call is answered to the model, in order', () => {
    const state = play(
      running(['grep', 'grep']),
      (now) => eventsFor(now).ended(at(now.batch, 1)),
      (now) => eventsFor(now).ended(at(now.batch, 0), 'failed'),
      (now) => eventsFor(now).retry({ kind: 'tool', runId: at(now.batch, 0) }),
    )
    const step = checkedStep(state, eventsFor(state).ended(at(state.batch, 0), 'failed'))
    expect(step.state).toMatchObject({
      kind: 'ready',
      pendingToolCalls: [],
      lastError: { code: 'tool_execution_failed' },
    })
    expect(step.actions.find(({ type }) => type === 'append_messages')).toMatchObject({
      messages: [
        { toolCallId: 'call_1', isError: true, content: expect.stringContaining('it broke') },
        { toolCallId: 'call_2', isError: false },
      ],
    })
  })

  test('SE-14a: the patience with a tool begins when it runs', () => {
    const queued = executing(['grep'])
    expect(nextWake(queued)).toBeNull()
    const started = play(queued, (now) => eventsFor(now).started(at(now.batch, 0)))
    expect(nextWake(started)).toBe(1000 + 1000 + 5000)
  })

  test('SE-8: what came after its end changes nothing', () => {
    const state = play(running(['grep', 'grep']), (now) => eventsFor(now).ended(at(now.batch, 0)))
    const step = checkedStep(state, eventsFor(state).ended(at(state.batch, 0), 'failed'))
    expect(step.state).toBe(state)
    expect(step.actions).toEqual([
      { type: 'drop_late', what: 'tool result', id: at(state.batch, 0) },
    ])
  })

  test('SE-6: the batch decides whether it was mutating, not the history', () => {
    const hook = hookNamed('format')
    const run = (
      toolName: string,
      mutating: boolean,
      status: 'succeeded' | 'failed' = 'succeeded',
    ) => ({ toolName, mutating, status }) as const
    expect(wantsHook(hook, [run('bash', true)])).toBe(true)
    expect(wantsHook(hook, [run('bash', false)])).toBe(false)
    expect(wantsHook(hook, [run('bash', true, 'failed'), run('grep', false)])).toBe(false)
    const named = hookNamed('x', { tool_filter: { type: 'tool_names', names: ['edit_file'] } })
    expect(wantsHook(named, [run('bash', true)])).toBe(false)
    expect(wantsHook(named, [run('edit_file', true)])).toBe(true)
  })

  test('SE-8: forgotten are only runs that nobody waits for', () => {
    const old = Array.from({ length: limits.rememberedAgentRuns + 5 }, (_, n) => ({
      runId: `old_${n}`,
      callId: `c_${n}`,
      toolName: 'grep',
      mutating: false,
      status: 'succeeded' as const,
      startedAtMs: 0,
      attempt: 1,
    }))
    const state = { ...calling(), toolRuns: old }
    const next = play(
      state,
      (now) => eventsFor(now).call('grep', 'a'),
      (now) => eventsFor(now).stream('completed'),
    )
    expect(next.toolRuns).toHaveLength(limits.rememberedAgentRuns)
    expect(next.toolRuns.at(-1)?.callId).toBe('a')
  })
})

describe('time', () => {
  test('SE-5: a model that says nothing for 120 s is given up and asked again', () => {
    const state = calling()
    expect(nextWake(state)).toBe(121_000)
    expect(dueEvent(state, 120_999, facts(state))).toBeNull()
    const due = dueEvent(state, 121_000, facts(state))
    if (due === null) throw new Error('nothing is due')
    const step = checkedStep(state, due, 121_000)
    expect(step.state).toMatchObject({
      kind: 'error',
      wakeAt: 121_250,
      lastError: { code: 'streaming_failed', message: expect.stringContaining('llm_timeout') },
    })
    const retry = dueEvent(step.state, 121_250, facts(step.state))
    expect(retry).toMatchObject({ type: 'retry_timeout', target: { kind: 'llm' }, by: 'timer' })
  })

  test('SE-5a: an answer that goes on is cut by the limit on the whole alone', () => {
    let state = calling()
    for (let now = 61_000; now < 1_801_000; now += 60_000) {
      expect(dueEvent(state, now, facts(state)), `after ${now} ms`).toBeNull()
      state = checkedStep(state, eventsFor(state).stream('text_delta', { text: 'on ' }), now).state
    }
    expect(nextWake(state)).toBe(1_801_000)
    expect(dueEvent(state, 1_801_000, facts(state))).toMatchObject({
      streamEvent: { payload: { message: 'The answer was cut off: one request may take 1800 s.' } },
    })
  })

  test('SE-7: a harness that does not leave within 5 s is killed', () => {
    const state = play(calling(), () => ({ type: 'stop_requested', reason: 'x' }))
    expect(nextWake(state)).toBe(6000)
    expect(dueEvent(state, 6000, facts(state))).toEqual({ type: 'stop_timeout' })
  })

  test('SE-4, SE-6: a tool and a hook that hang are failed at their deadline', () => {
    const tool = running(['grep'])
    expect(dueEvent(tool, 7000, facts(tool))).toMatchObject({
      type: 'tool_completed',
      status: 'failed',
      error: expect.stringContaining('timeout'),
    })
    const hook = hooking([hookNamed('format')])
    expect(dueEvent(hook, 7000, facts(hook))).toMatchObject({
      type: 'hook_completed',
      status: 'failed',
    })
  })
})

describe('recovery', () => {
  test('SE-9: what ran is failed as interrupted, what was queued is asked for', () => {
    const state = play(executing(['grep', '!bash']), (now) =>
      eventsFor(now).started(at(now.batch, 1)),
    )
    const { event } = recovery(state, 5000, facts(state))
    expect(event).toMatchObject({
      type: 'tool_completed',
      runId: at(state.batch, 1),
      status: 'failed',
      error: expect.stringContaining('interrupted'),
    })
    if (event === null) throw new Error('nothing to tell')
    const next = checkedStep(state, event).state
    expect(recovery(next, 5000, facts(next))).toMatchObject({
      event: null,
      actions: [{ type: 'execute_tools', tools: [{ runId: at(state.batch, 0) }] }],
    })
  })

  test('SE-9: a request under way is broken, and its retry comes by itself', () => {
    const state = calling()
    const { event } = recovery(state, 5000, facts(state))
    if (event === null) throw new Error('nothing to tell')
    const next = checkedStep(state, event, 5000).state
    expect(next).toMatchObject({ kind: 'error', wakeAt: 5250, retryTarget: { kind: 'llm' } })
  })
})

describe('invariants', () => {
  const good = running(['grep'])
  const broken: readonly [string, AgentState][] = [
    ['a model request is under way exactly in calling_llm', { ...calling(), requestId: null }],
    ['ready has no pending tool calls', { ...good, kind: 'ready', toolRuns: [] }],
    ['a batch has one run for each call', { ...good, batch: ['a', 'b'] }],
    ['open runs exist only in the state that waits for them', { ...good, kind: 'error' }],
    ['hooks run only after their whole batch', { ...good, kind: 'post_tools_hook' }],
  ]
  test.each(broken)('SE-1: it is seen when this does not hold: %s', (claim, state) => {
    expect(brokenInvariants(state)).toContain(claim)
  })

  test('SE-1: two hooks at once are seen', () => {
    const state = hooking([hookNamed('a'), hookNamed('b')])
    const hookRuns = state.hookRuns.map((run) => ({ ...run, status: 'running' as const }))
    expect(brokenInvariants({ ...state, hookRuns })).toContain('hook runs never overlap')
  })

  test('SE-1: a change that is not told, and a run that ends twice, are seen', () => {
    const ended = play(running(['grep', 'grep']), (now) => eventsFor(now).ended(at(now.batch, 0)))
    const again = ended.toolRuns.map((run) => ({ ...run, status: 'canceled' as const }))
    expect(brokenStep(ended, { ...ended, toolRuns: again }, [])).toContain(
      'a run ends exactly once',
    )
    expect(brokenStep(ended, { ...ended, kind: 'error' }, [])).toContain(
      'every change of state is told',
    )
    expect(brokenStep(ended, { ...ended, activeStreamId: 'turn_other' }, [])).toContain(
      'a stream id changes only with a new request',
    )
  })
})

describe('mutating calls', () => {
  const table: readonly [string, object, boolean][] = [
    ['read_file', {}, false],
    ['list_files', {}, false],
    ['grep', {}, false],
    ['search', {}, false],
    ['edit_file', {}, true],
    ['write_file', {}, true],
    ['apply_patch', {}, true],
    ['git_commit', {}, true],
    ['git_status', {}, false],
    ['git_diff', {}, false],
    ['bash', { command: 'npm install' }, true],
    ['bash', { command: 'ls -la && cat x' }, false],
    ['bash', { command: 'cat x > y' }, true],
    ['bash', {}, true],
    ['run_command', { command: ['ls', '-la'] }, false],
    ['run_command', { command: 'find', args: ['.', '-delete'] }, true],
    ['run_command', { command: ['rm', 'x'] }, true],
    ['something_else', {}, false],
  ]
  test.each(table)('SE-10, SE-6: %s %o is mutating: %s', (name, args, expected) => {
    expect(isMutatingCall(name, JSON.parse(JSON.stringify(args)))).toBe(expected)
  })

  test('SE-10: an adapter may say otherwise for tools we do not know', () => {
    expect(isMutatingCall('deploy', {}, true)).toBe(true)
    expect(isMutatingCall('read_file', {}, true)).toBe(false)
  })
})

describe('hooks.json', () => {
  test('SE-15: a hook needs a name and a command; the rest has the usual values', () => {
    expect(HookConfig.parse({ name: 'a', command: ['git', 'commit'] })).toEqual({
      name: 'a',
      command: ['git', 'commit'],
      timeout_ms: 120_000,
      failure_policy: { type: 'fail_session' },
      tool_filter: { type: 'any_mutating' },
    })
  })

  test('SE-15: typos, empty commands and names twice are refused', () => {
    const hook = { name: 'a', command: ['x'] }
    expect(HooksFile.safeParse({ hooks: [hook, { ...hook, name: 'b' }] }).success).toBe(true)
    expect(HooksFile.safeParse({ hooks: [hook, hook] }).success).toBe(false)
    expect(HooksFile.safeParse({ hooks: [{ ...hook, comand: [] }] }).success).toBe(false)
    expect(HooksFile.safeParse({ hooks: [{ ...hook, command: [] }] }).success).toBe(false)
  })
})

import { expect } from 'vitest'
import type { AgentEvent, FreshIds } from './events.ts'
import type { HookConfig } from './hook-config.ts'
import { freshIds } from './ids.ts'
import { brokenInvariants, brokenStep } from './invariants.test-kit.ts'
import type { StreamEventType } from './kinds.ts'
import type { AgentToolCall, RetryTarget } from './records.ts'
import { reduceAgent } from './reduce-agent.ts'
import { type AgentSettings, type AgentState, initialAgentState } from './state.ts'
import type { AgentStep } from './step.ts'
import type { StreamEvent } from './stream-event.ts'

/** Events for a state, with ids that are counted instead of drawn. */
export function eventsFor(state: AgentState) {
  let count = state.toolRuns.length + state.hookRuns.length + state.retries
  const tag = `${state.kind}-${state.activeStreamId ?? 'none'}`
  const ids: FreshIds = freshIds(state, () => `${tag}-${++count}`)
  return {
    compact: (): AgentEvent => ({ type: 'compact_requested', ids }),
    window: (contextTokens: number): AgentEvent => ({ type: 'window_known', contextTokens, ids }),
    harnessReady: (): AgentEvent => ({ type: 'harness_ready', ids }),
    input: (text = 'go', when?: 'queue' | 'interrupt'): AgentEvent => ({
      type: 'user_input',
      text,
      messageId: `msg_${text}`,
      ...(when === undefined ? {} : { when }),
      ids,
    }),
    stream: (
      type: StreamEventType,
      payload: StreamEvent['payload'] = {},
      streamId = state.activeStreamId ?? 'turn_none',
    ): AgentEvent => ({
      type: 'harness_stream',
      ids,
      streamEvent: streamEvent({ type, payload, streamId, sessionId: state.sessionId }),
    }),
    call: (name: string, callId: string, mutating = false): AgentEvent => ({
      type: 'tool_requested',
      streamId: state.activeStreamId ?? 'turn_none',
      call: toolCall(name, callId, mutating),
    }),
    agentTool: (
      name: string,
      status: 'queued' | 'running' | 'succeeded' = 'succeeded',
      streamId = state.activeStreamId ?? 'turn_none',
    ): AgentEvent => ({
      type: 'agent_tool',
      streamId,
      call: toolCall(name, `call_${name}`, name !== 'Read'),
      status,
      ids,
    }),
    started: (runId: string): AgentEvent => ({ type: 'tool_started', runId, timeoutMs: 1000 }),
    ended: (
      runId: string,
      status: 'succeeded' | 'failed' | 'canceled' = 'succeeded',
    ): AgentEvent => ({
      type: 'tool_completed',
      runId,
      status,
      output: `output of ${runId}`,
      ...(status === 'failed' ? { error: 'it broke' } : {}),
      ids,
    }),
    hookStarted: (runId: string): AgentEvent => ({ type: 'hook_started', runId }),
    hookEnded: (runId: string, status: 'succeeded' | 'failed' = 'succeeded'): AgentEvent => ({
      type: 'hook_completed',
      runId,
      status,
      ...(status === 'failed' ? { error: 'it broke' } : {}),
      ids,
    }),
    retry: (target: RetryTarget, by: 'timer' | 'person' = 'timer'): AgentEvent => ({
      type: 'retry_timeout',
      target,
      by,
      ids,
    }),
  }
}

export function streamEvent(part: Partial<StreamEvent>): StreamEvent {
  return {
    schemaVersion: '1.0',
    eventId: 'evt_1',
    sessionId: 'sess_1',
    harness: 'scripted',
    streamId: 'turn_1',
    seq: 1,
    timestampMs: 0,
    type: 'text_delta',
    payload: {},
    ...part,
  }
}

export function toolCall(name: string, callId: string, mutating = false): AgentToolCall {
  return { callId, name, arguments: {}, mutating }
}

export function hookNamed(name: string, more: Partial<HookConfig> = {}): HookConfig {
  return {
    name,
    command: ['true'],
    timeout_ms: 1000,
    failure_policy: { type: 'fail_session' },
    tool_filter: { type: 'any_mutating' },
    ...more,
  }
}

type Move = (state: AgentState) => AgentEvent

/** Plays moves one after the other, and holds every step to the invariants. */
export function play(state: AgentState, ...moves: readonly Move[]): AgentState {
  return moves.reduce((current, move) => {
    const step = checkedStep(current, move(current))
    expect(step.refusal).toBeUndefined()
    return step.state
  }, state)
}

export function checkedStep(state: AgentState, event: AgentEvent, now = 1000): AgentStep {
  const step = reduceAgent(state, event, now)
  expect(brokenInvariants(step.state)).toEqual([])
  expect(brokenStep(state, step.state, step.actions)).toEqual([])
  return step
}

export function starting(
  hooks: readonly HookConfig[] = [],
  more: Partial<AgentSettings> = {},
): AgentState {
  const base = { harness: 'scripted', projectPath: '/p', hooks, llmTimeoutMs: 120_000 }
  const settings = { ...base, ...more }
  return play(initialAgentState('sess_1'), () => ({ type: 'spawn', settings }))
}

export function ready(hooks?: readonly HookConfig[]): AgentState {
  return play(starting(hooks), (state) => eventsFor(state).harnessReady())
}

export function calling(hooks?: readonly HookConfig[]): AgentState {
  return play(ready(hooks), (state) => eventsFor(state).input())
}

/** A batch of these tools, queued; `!` before a name makes its call mutating. */
export function executing(names: readonly string[], hooks?: readonly HookConfig[]): AgentState {
  const calls = names.map((name, at): Move => {
    const mutating = name.startsWith('!')
    return (state) => eventsFor(state).call(name.replace('!', ''), `call_${at + 1}`, mutating)
  })
  return play(calling(hooks), ...calls, (state) => eventsFor(state).stream('completed'))
}

/** The same with all of them running. */
export function running(names: readonly string[], hooks?: readonly HookConfig[]): AgentState {
  const queued = executing(names, hooks)
  return play(
    queued,
    ...queued.batch.map(
      (id): Move =>
        (state) =>
          eventsFor(state).started(id),
    ),
  )
}

export function hooking(hooks: readonly HookConfig[]): AgentState {
  return play(
    running(['!edit_file'], hooks),
    (state) => eventsFor(state).ended(at(state.batch, 0)),
    (state) => eventsFor(state).hookStarted(at(state.pipeline, 0)),
  )
}

export function at(list: readonly string[], index: number): string {
  const found = list[index]
  if (found === undefined) throw new Error(`nothing at ${index}`)
  return found
}

import { cut } from '../base/cut.ts'
import { limits } from '../base/limits.ts'
import type { AgentAction } from './actions.ts'
import { agentError } from './errors.ts'
import type { AgentStateKind, ChangeReason } from './kinds.ts'
import type { AgentError, HookRunRecord, ToolRunRecord } from './records.ts'
import { type AgentState, shownContext } from './state.ts'
import type { AgentStateEventBody } from './state-event.ts'

/** What came of an event. A refused one leaves the very same state. */
export interface AgentStep {
  readonly state: AgentState
  readonly actions: readonly AgentAction[]
  readonly refusal?: AgentError
}

/** A step in the making: the state so far, and what it asks for in order. */
export interface Draft {
  readonly before: AgentState
  state: AgentState
  readonly actions: AgentAction[]
  readonly now: number
}

export function beginStep(state: AgentState, now: number): Draft {
  return { before: state, state, actions: [], now }
}

export function endStep({ before, state, actions }: Draft): AgentStep {
  const { wakeAt } = state
  if (wakeAt === null || wakeAt === before.wakeAt) return { state, actions }
  return { state, actions: [...actions, { type: 'wait', wakeAt }] }
}

export function refuse(state: AgentState, message: string, now: number): AgentStep {
  const refusal = agentError('state_transition_invalid', message)
  const event = errorEvent(state, refusal, now)
  return { state, actions: [{ type: 'emit_state_event', event }], refusal }
}

/** A result or a piece of a stream whose owner has ended: nothing changes (SE-8). */
export function dropLate(state: AgentState, what: string, id: string): AgentStep {
  return { state, actions: [{ type: 'drop_late', what, id: cut(id, limits.nameLength) }] }
}

/**
 * Enters a state and tells it. Whatever must be told before (the end of a run, an error) stands
 * before it in the list.
 */
export function moveTo(
  draft: Draft,
  to: AgentStateKind,
  reason: ChangeReason,
  changes: Partial<AgentState> & { readonly shown?: ShownChange } = {},
): void {
  const { state, now } = draft
  const { shown: facts = {}, ...changed } = changes
  const cleared = { wakeAt: null, retryTarget: null, requestId: null }
  draft.state = { ...state, ...cleared, ...changed, kind: to }
  const { sessionId, activeStreamId: streamId } = draft.state
  const shown = streamId === null ? {} : { streamId }
  const isEnd = to === 'ready' && draft.state.turn.requests > 0
  emit(draft, {
    type: 'state_changed',
    sessionId,
    timestampMs: now,
    from: state.kind,
    to,
    reason,
    ...shown,
    ...(isEnd ? turnFacts(draft.state) : {}),
    ...facts,
  })
}

function turnFacts(state: AgentState) {
  const context = shownContext(state)
  return { turn: state.turn, ...(context === null ? {} : { context }) }
}

/** What is told with a change of state beside where it leads. */
type ShownChange = Partial<
  Pick<
    Extract<AgentStateEventBody, { type: 'state_changed' }>,
    'input' | 'messageId' | 'detail' | 'exitCode'
  >
>

export function emit(
  draft: Draft,
  event: Extract<AgentAction, { type: 'emit_state_event' }>['event'],
): void {
  draft.actions.push({ type: 'emit_state_event', event })
}

/** Changes a tool run and tells it, with the beginning of its result. */
export function setToolRun(draft: Draft, run: ToolRunRecord, result?: string): void {
  const { toolRuns, sessionId, batch, agentCalls } = draft.state
  const needed = [...batch, ...agentCalls.map(({ runId }) => runId)]
  draft.state = { ...draft.state, toolRuns: replaced(toolRuns, run, needed) }
  const { deadlineAtMs: _, ...rest } = run
  const output = result === undefined ? {} : { output: cut(result, limits.toolPreviewLength) }
  emit(draft, { type: 'tool_lifecycle', sessionId, timestampMs: draft.now, ...rest, ...output })
}

export function setHookRun(draft: Draft, run: HookRunRecord): void {
  const { hookRuns, sessionId } = draft.state
  draft.state = { ...draft.state, hookRuns: replaced(hookRuns, run, draft.state.pipeline) }
  const { deadlineAtMs: _, ...rest } = run
  emit(draft, { type: 'hook_lifecycle', sessionId, timestampMs: draft.now, ...rest })
}

/** The list with one run changed or added; the oldest that are no longer needed are forgotten. */
function replaced<Run extends { readonly runId: string }>(
  runs: readonly Run[],
  run: Run,
  needed: readonly string[],
): readonly Run[] {
  const known = runs.some(({ runId }) => runId === run.runId)
  if (known) return runs.map((one) => (one.runId === run.runId ? run : one))
  const all = [...runs, run]
  const surplus = all.length - limits.rememberedAgentRuns
  if (surplus <= 0) return all
  return all.filter((one, at) => at >= surplus || needed.includes(one.runId))
}

/** Tells an error, then enters `error`; in that order, so that a client knows why. */
export function failWith(
  draft: Draft,
  error: AgentError,
  retry: Pick<AgentState, 'retryTarget' | 'wakeAt'>,
): void {
  tellError(draft, error)
  moveTo(draft, 'error', 'error', { lastError: error, ...retry })
}

export function tellError(draft: Draft, error: AgentError): void {
  emit(draft, errorEvent(draft.state, error, draft.now))
}

function errorEvent(state: AgentState, error: AgentError, now: number) {
  return {
    type: 'session_error' as const,
    sessionId: state.sessionId,
    timestampMs: now,
    ...error,
  }
}

import type { AgentAction } from './actions.ts'
import { hasRunEnded } from './kinds.ts'
import { pipelineRuns } from './on-hooks.ts'
import { batchRuns } from './on-tools.ts'
import type { AgentState } from './state.ts'

/** What is always true of a session; each gives the claim that is broken, or nothing. */
const agentInvariants = {
  oneRequest: (state: AgentState) =>
    (state.kind === 'calling_llm') === (state.requestId !== null) &&
    (state.requestId === null || state.activeStreamId !== null)
      ? null
      : 'a model request is under way exactly in calling_llm',
  readyIsClear: (state: AgentState) =>
    state.kind !== 'ready' || state.pendingToolCalls.length + state.batch.length === 0
      ? null
      : 'ready has no pending tool calls',
  hooksAfterBatch: (state: AgentState) =>
    state.kind !== 'post_tools_hook' || batchRuns(state).every(({ status }) => hasRunEnded(status))
      ? null
      : 'hooks run only after their whole batch',
  queueOnlyWaits: (state: AgentState) =>
    state.queue.length === 0 || (state.kind !== 'stopped' && state.kind !== 'stopping')
      ? null
      : 'nothing waits in a session that has stopped',
  summaryIsARequest: (state: AgentState) =>
    state.compaction === null || state.kind === 'calling_llm' || state.kind === 'error'
      ? null
      : 'a summary is made by a request, or waits for its retry',
  oneHook: (state: AgentState) =>
    state.hookRuns.filter(({ status }) => status === 'running').length <= 1
      ? null
      : 'hook runs never overlap',
  runsWhereTheyBelong: (state: AgentState) =>
    (state.kind === 'executing_tools' ||
      state.toolRuns.every(({ runId, status }) => hasRunEnded(status) || isAgents(state, runId))) &&
    (state.kind === 'post_tools_hook' || openHooks(state) === 0 || state.kind === 'error')
      ? null
      : 'open runs exist only in the state that waits for them',
  batchFitsCalls: (state: AgentState) =>
    state.batch.length === 0 || state.batch.length === state.pendingToolCalls.length
      ? null
      : 'a batch has one run for each call',
} as const satisfies Readonly<Record<string, (state: AgentState) => string | null>>

export function brokenInvariants(state: AgentState): string[] {
  return Object.values(agentInvariants).flatMap((check) => check(state) ?? [])
}

/** What is true of a step: each change is told, a run ends once, ends are told before moves. */
export function brokenStep(
  before: AgentState,
  after: AgentState,
  actions: readonly AgentAction[],
): string[] {
  const broken: string[] = []
  const reported = actions.flatMap((action) =>
    action.type === 'emit_state_event' ? [action.event] : [],
  )
  let kind = before.kind
  for (const [at, event] of reported.entries()) {
    if (event.type !== 'state_changed') continue
    if (event.from !== kind) broken.push('each change begins where the last one ended')
    kind = event.to
    if (event.to === 'error' && reported[at - 1]?.type !== 'session_error') {
      broken.push('an error is told before the change to error')
    }
  }
  if (kind !== after.kind) broken.push('every change of state is told')
  for (const run of [...before.toolRuns, ...before.hookRuns]) {
    if (!hasRunEnded(run.status)) continue
    const now = [...after.toolRuns, ...after.hookRuns].find(({ runId }) => runId === run.runId)
    if (now !== undefined && now.status !== run.status) broken.push('a run ends exactly once')
  }
  const asks = actions.some(({ type }) => type === 'send_to_harness')
  if (before.activeStreamId !== after.activeStreamId && after.activeStreamId !== null && !asks) {
    broken.push('a stream id changes only with a new request')
  }
  return broken
}

/** An agent that runs its own tools has open runs while it answers. */
function isAgents({ kind, agentCalls }: AgentState, runId: string): boolean {
  return kind === 'calling_llm' && agentCalls.some((one) => one.runId === runId)
}

function openHooks(state: AgentState): number {
  return pipelineRuns(state).filter(({ status }) => !hasRunEnded(status)).length
}

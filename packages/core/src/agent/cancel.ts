import { hasRunEnded } from './kinds.ts'
import type { AgentState } from './state.ts'
import { type Draft, setHookRun, setToolRun } from './step.ts'

export const nothingOpen = {
  pendingToolCalls: [],
  batch: [],
  results: [],
  pipeline: [],
  buffer: '',
  compaction: null,
  activeStreamId: null,
} satisfies Partial<AgentState>

/** Ends every run that has not ended, and asks that whatever carries it out be killed. */
export function cancelWork(draft: Draft): void {
  const { toolRuns, hookRuns, kind, activeStreamId } = draft.state
  if (kind === 'calling_llm' && activeStreamId !== null) {
    draft.actions.push({ type: 'cancel_request', streamId: activeStreamId })
    // Calls of an answer that never became whole were not run, and nobody waits for them.
    draft.state = { ...draft.state, pendingToolCalls: [] }
  }
  const tools = toolRuns.filter(({ status }) => !hasRunEnded(status))
  const hooks = hookRuns.filter(({ status }) => !hasRunEnded(status))
  const canceled = { status: 'canceled', finishedAtMs: draft.now } as const
  for (const run of tools) setToolRun(draft, { ...run, ...canceled })
  for (const run of hooks) setHookRun(draft, { ...run, ...canceled })
  if (tools.length + hooks.length === 0) return
  draft.actions.push({
    type: 'cancel_runs',
    toolRunIds: tools.map(({ runId }) => runId),
    hookRunIds: hooks.map(({ runId }) => runId),
  })
}

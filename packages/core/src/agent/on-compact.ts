import { cut } from '../base/cut.ts'
import { isFull, sizeAfter, tailLength } from './context-size.ts'
import type { AgentMessage } from './conversation.ts'
import { agentError } from './errors.ts'
import type { AgentEvent, FreshIds } from './events.ts'
import { failRequest } from './fail-request.ts'
import { callModel, sendRequest, startQueued, tellCompacted } from './request.ts'
import { llmRetryDelay } from './retry.ts'
import { type AgentState, newTurn } from './state.ts'
import { type AgentStep, beginStep, type Draft, endStep, moveTo, refuse } from './step.ts'
import { limitReached } from './turn-limits.ts'

/** How often a request for a summary is halved because it was itself too long. */
const maxHalvings = 3

/** A person wants the conversation summed up now (SE-20). */
export function onCompactRequested(
  state: AgentState,
  { ids }: Extract<AgentEvent, { type: 'compact_requested' }>,
  now: number,
): AgentStep {
  if (state.settings?.contextTokens === undefined) {
    return refuse(state, 'This agent keeps its own conversation and compacts it itself.', now)
  }
  if (state.context.tokens === 0) {
    return refuse(state, 'There is nothing to compact: the conversation is empty.', now)
  }
  const draft = beginStep(state, now)
  const canRetry = state.retryTarget?.kind === 'llm'
  // A turn of its own, though nobody spoke: what it costs is not that of the turn before.
  const turn = newTurn(now)
  draft.state = { ...state, turn, compaction: { next: 'rest', halvings: 0, canRetry } }
  const reached = limitReached(draft.state)
  if (reached !== undefined) return refuse(state, reached.message, now)
  sendRequest(draft, ids, { reason: 'compaction', attempt: 1 })
  return endStep(draft)
}

/** A request whose model takes less than the conversation has is made again, compacted (SE-20). */
export function onWindowKnown(
  state: AgentState,
  { contextTokens, ids }: Extract<AgentEvent, { type: 'window_known' }>,
  now: number,
): AgentStep {
  const draft = beginStep(state, now)
  const { settings, compaction, activeStreamId: streamId, turn } = state
  draft.state = { ...state, settings: settings && { ...settings, contextTokens } }
  if (compaction === null && streamId !== null && isFull(draft.state)) {
    draft.actions.push({ type: 'cancel_request', streamId })
    // The one that was never sent does not count.
    draft.state = { ...draft.state, turn: { ...turn, requests: turn.requests - 1 } }
    callModel(draft, ids, { reason: 'compaction', attempt: 1 })
  }
  return endStep(draft)
}

/** The summary is whole: it stands in the conversation, and the request that waited is made. */
export function onSummary(draft: Draft, ids: FreshIds): void {
  const summary = draft.state.buffer.trim()
  if (summary !== '') {
    endCompaction(draft, ids, { how: 'summary', content: cut(summary, tailLength(draft.state)) })
  } else if (llmRetryDelay(draft.state.retries) === undefined) {
    endCompaction(draft, ids, { how: 'cut', content: '' })
  } else {
    failRequest(draft, agentError('streaming_failed', 'The model returned no summary.'))
  }
}

/**
 * The provider says that the conversation is too long: it is summed up, and sent once more. A
 * request for a summary that is too long itself is made shorter; when that does not help, the
 * conversation is cut without one. Says no where none of this would help.
 */
export function makesRoom(draft: Draft, ids: FreshIds): boolean {
  const { compaction, context, settings, activeStreamId } = draft.state
  if (settings?.contextTokens === undefined || activeStreamId === null) return false
  if (compaction === null && context.isFresh) return false
  draft.actions.push({ type: 'cancel_request', streamId: activeStreamId })
  draft.state = { ...draft.state, buffer: '', pendingToolCalls: [] }
  if (compaction !== null && compaction.halvings >= maxHalvings) {
    endCompaction(draft, ids, { how: 'cut', content: '' })
    return true
  }
  const next =
    compaction === null
      ? ({ next: 'request', halvings: 0, canRetry: true } as const)
      : { ...compaction, halvings: compaction.halvings + 1 }
  draft.state = { ...draft.state, compaction: next }
  sendRequest(draft, ids, { reason: 'compaction', attempt: 1 })
  return true
}

function endCompaction(
  draft: Draft,
  ids: FreshIds,
  made: Pick<Extract<AgentMessage, { role: 'compaction' }>, 'how' | 'content'>,
): void {
  const { compaction, context, activeStreamId } = draft.state
  const { how, content } = made
  const message = {
    ...made,
    compactionId: activeStreamId ?? '',
    tailLength: tailLength(draft.state),
  }
  draft.state = { ...draft.state, context: sizeAfter(draft.state, content), compaction: null }
  tellCompacted(draft, { how, before: context.tokens, summary: content })
  draft.actions.push({ type: 'append_messages', messages: [{ role: 'compaction', ...message }] })
  const reason = how === 'summary' ? 'stream_completed' : 'compaction'
  moveTo(draft, 'processing_response', reason, { buffer: '', pendingToolCalls: [] })
  if (compaction?.next === 'request') {
    callModel(draft, ids, { reason: 'compaction', attempt: 1 })
    return
  }
  const retryTarget = compaction?.canRetry === true ? ({ kind: 'llm' } as const) : null
  moveTo(draft, 'ready', 'compaction', { activeStreamId: null, retries: 0, retryTarget })
  startQueued(draft, ids)
}

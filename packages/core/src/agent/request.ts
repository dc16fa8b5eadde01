import { type AgentMessage, toolMessages } from './conversation.ts'
import type { FreshIds } from './events.ts'
import type { ChangeReason } from './kinds.ts'
import { llmRetryDelay, sessionTimeouts } from './retry.ts'
import type { AgentState } from './state.ts'
import { type Draft, moveTo } from './step.ts'

/** Begins a model request: a new stream, and everything that was said so far. */
export function callModel(
  draft: Draft,
  ids: FreshIds,
  how: { readonly reason: ChangeReason; readonly attempt: number; readonly input?: string },
): void {
  const { streamId, requestId } = ids
  const { reason, attempt, input } = how
  const patience = draft.state.settings?.llmTimeoutMs ?? sessionTimeouts.llmTimeoutMs
  moveTo(draft, 'calling_llm', reason, {
    activeStreamId: streamId,
    requestId,
    retries: attempt,
    buffer: '',
    pendingToolCalls: [],
    wakeAt: draft.now + patience,
    ...(input === undefined ? {} : { input }),
  })
  draft.actions.push({ type: 'send_to_harness', streamId, requestId, attempt })
}

/** Answers every call of the batch to the model, in their order, and clears the batch. */
export function answerBatch(draft: Draft): void {
  const { state } = draft
  if (state.pendingToolCalls.length === 0) return
  const messages = toolMessages(state.pendingToolCalls, state.results, ({ callId }) => {
    const run = state.toolRuns.findLast((one) => one.callId === callId)
    if (run?.status === 'canceled') return 'The call was canceled; what it has done is not known.'
    const why = run?.error === undefined ? '' : `: ${run.error}`
    return `The tool could not be carried out${why}.`
  })
  appendMessages(draft, messages)
  draft.state = { ...draft.state, pendingToolCalls: [], batch: [], results: [], pipeline: [] }
}

export function appendMessages(draft: Draft, messages: readonly AgentMessage[]): void {
  draft.actions.push({ type: 'append_messages', messages })
}

/** What a failed model request leaves behind: a retry by data, or none when they are used up. */
export function modelRetry(
  draft: Draft,
): Pick<AgentState, 'retryTarget' | 'wakeAt'> & { readonly isExhausted: boolean } {
  const delay = llmRetryDelay(draft.state.retries)
  return {
    retryTarget: { kind: 'llm' },
    wakeAt: delay === undefined ? null : draft.now + delay,
    isExhausted: delay === undefined,
  }
}

/** No retry is left: the person has the word again, and the error stays to be seen (SE-5). */
export function giveUp(draft: Draft): void {
  answerBatch(draft)
  moveTo(draft, 'ready', 'retries_exhausted', { activeStreamId: null, buffer: '' })
}

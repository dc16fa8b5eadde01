import { cut } from '../base/cut.ts'
import { limits } from '../base/limits.ts'
import { type AgentMessage, toolMessages } from './conversation.ts'
import type { FreshIds } from './events.ts'
import type { ChangeReason } from './kinds.ts'
import type { QueuedInput } from './records.ts'
import { llmRetryDelay, sessionTimeouts } from './retry.ts'
import { type AgentState, newTurn } from './state.ts'
import { type Draft, failWith, moveTo } from './step.ts'
import { limitReached } from './turn-limits.ts'

interface RequestFacts {
  readonly reason: ChangeReason
  readonly attempt: number
  readonly input?: QueuedInput
}

/** Begins a model request: a new stream, and everything that was said so far. */
export function callModel(draft: Draft, ids: FreshIds, how: RequestFacts): void {
  const reached = limitReached(draft.state)
  if (reached !== undefined) {
    // Told as an error: nobody else says why the session stands still in the middle of its work.
    failWith(draft, reached, { retryTarget: null, wakeAt: null })
    giveUp(draft, 'limit_reached')
    return
  }
  const { streamId, requestId } = ids
  const { reason, attempt, input } = how
  const { settings, turn } = draft.state
  const silenceMs = settings?.llmTimeoutMs ?? sessionTimeouts.llmTimeoutMs
  const totalMs = Math.max(silenceMs, settings?.llmTotalMs ?? sessionTimeouts.llmTotalMs)
  moveTo(draft, 'calling_llm', reason, {
    activeStreamId: streamId,
    requestId,
    retries: attempt,
    buffer: '',
    pendingToolCalls: [],
    turn: { ...turn, requests: turn.requests + 1 },
    heardAtMs: draft.now,
    wakeAt: draft.now + totalMs,
    ...(input === undefined ? {} : { shown: shownInput(input) }),
  })
  draft.actions.push({ type: 'send_to_harness', streamId, requestId, attempt })
}

function shownInput({ text, messageId }: QueuedInput) {
  return { input: cut(text, limits.textLength), messageId }
}

/** Begins a turn with what was said first, if anything was. */
export function startQueued(draft: Draft, ids: FreshIds): boolean {
  const [input, ...queue] = draft.state.queue
  if (input === undefined) return false
  const { text: content, messageId } = input
  appendMessages(draft, [{ role: 'user', messageId, content }])
  draft.state = {
    ...draft.state,
    queue,
    lastUserMessageId: messageId,
    turns: draft.state.turns + 1,
    turn: newTurn(draft.now),
    fruitless: 0,
  }
  callModel(draft, ids, { reason: 'user_input', attempt: 1, input })
  return true
}

/** Answers every call of the batch to the model, in their order, and clears the batch. */
export function answerBatch(draft: Draft): void {
  const { state } = draft
  // Hooks that follow calls of an agent's own have no batch of ours.
  if (state.pipeline.length > 0) draft.state = { ...state, pipeline: [], agentCalls: [] }
  if (state.pendingToolCalls.length === 0) return
  const messages = toolMessages(state.pendingToolCalls, state.results, ({ callId }) => {
    const run = state.toolRuns.findLast((one) => one.callId === callId)
    if (run?.status === 'canceled') return 'The call was canceled; what it has done is not known.'
    const why = run?.error === undefined ? '' : `: ${run.error.replace(/\.+$/, '')}`
    return `The tool could not be carried out${why}.`
  })
  appendMessages(draft, messages)
  draft.state = { ...draft.state, pendingToolCalls: [], batch: [], results: [] }
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

/**
 * No retry comes by itself any more: the person has the word again, and the error stays to be seen
 * (SE-5). They may have the model asked again as it stands, without saying anything.
 */
export function giveUp(draft: Draft, reason: ChangeReason = 'retries_exhausted'): void {
  answerBatch(draft)
  moveTo(draft, 'ready', reason, {
    activeStreamId: null,
    buffer: '',
    retryTarget: { kind: 'llm' },
  })
}

import { cut } from '../base/cut.ts'
import { limits } from '../base/limits.ts'
import {
  addMessages,
  isFull,
  shortenedSize,
  sufficesToShorten,
  summaryLength,
  tailLength,
} from './context-size.ts'
import { type AgentMessage, toolMessages } from './conversation.ts'
import type { FreshIds } from './events.ts'
import type { ChangeReason } from './kinds.ts'
import type { CompactionMethod, QueuedInput } from './records.ts'
import { llmRetryDelay, sessionTimeouts } from './retry.ts'
import { type AgentState, newTurn } from './state.ts'
import { type Draft, emit, failWith, moveTo } from './step.ts'
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
  // One that was broken off goes on before anything else is asked for.
  if (draft.state.compaction === null && isFull(draft.state)) makeRoom(draft)
  sendRequest(draft, ids, how)
}

/** The conversation is nearly too long: long results are cut short, else it is summed up. */
function makeRoom(draft: Draft): void {
  const { state } = draft
  const { context } = state
  if (!sufficesToShorten(state)) {
    draft.state = { ...state, compaction: { next: 'request', halvings: 0, canRetry: true } }
    return
  }
  const compactionId = `short_${state.turn.startedAtMs}_${state.turn.requests}`
  const kept = tailLength(state)
  const how = 'shortened'
  draft.actions.push({
    type: 'append_messages',
    messages: [{ role: 'compaction', compactionId, how, content: '', tailLength: kept }],
  })
  draft.state = { ...state, context: shortenedSize(state) }
  tellCompacted(draft, { how, before: context.tokens, summary: '' })
}

export function tellCompacted(
  draft: Draft,
  facts: {
    readonly how: CompactionMethod
    readonly before: number
    readonly summary: string
  },
): void {
  const { sessionId, context } = draft.state
  emit(draft, {
    type: 'compacted',
    sessionId,
    timestampMs: draft.now,
    how: facts.how,
    tokensBefore: facts.before,
    tokensAfter: context.tokens,
    summary: cut(facts.summary, limits.textLength),
  })
}

/** Sends what the state is for: the conversation, or a request to sum it up. */
export function sendRequest(draft: Draft, ids: FreshIds, how: RequestFacts): void {
  const { streamId, requestId } = ids
  const { attempt, input } = how
  const { settings, turn, compaction } = draft.state
  const isPlain = compaction === null || how.reason === 'retry'
  const reason = isPlain ? how.reason : 'compaction'
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
  const purpose =
    compaction === null ? {} : { summaryLength: summaryLength(draft.state, compaction.halvings) }
  draft.actions.push({ type: 'send_to_harness', streamId, requestId, attempt, ...purpose })
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
    // A summary that failed is made again if it is still needed: the person wants an answer now.
    compaction: null,
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
    if (run?.status === 'canceled')
      return 'The call was canceled. What it did before that is not known.'
    const why = run?.error === undefined ? '' : `: ${run.error.replace(/\.+$/, '')}`
    return `The tool could not be run${why}.`
  })
  appendMessages(draft, messages)
  draft.state = { ...draft.state, pendingToolCalls: [], batch: [], results: [] }
}

export function appendMessages(draft: Draft, messages: readonly AgentMessage[]): void {
  draft.actions.push({ type: 'append_messages', messages })
  draft.state = { ...draft.state, context: addMessages(draft.state.context, messages) }
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
  const { compaction } = draft.state
  const canRetry = compaction === null || compaction.canRetry
  moveTo(draft, 'ready', reason, {
    activeStreamId: null,
    buffer: '',
    compaction: null,
    retryTarget: canRetry ? { kind: 'llm' } : null,
  })
}

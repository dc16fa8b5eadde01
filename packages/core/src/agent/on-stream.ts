import { limits } from '../base/limits.ts'
import { own } from '../base/own.ts'
import { agentError } from './errors.ts'
import type { AgentEvent } from './events.ts'
import { cancelAgentCalls, followAgentCalls } from './on-agent-tool.ts'
import { startBatch } from './on-tools.ts'
import type { AgentToolCall } from './records.ts'
import { appendMessages, giveUp, modelRetry, startQueued } from './request.ts'
import type { AgentState } from './state.ts'
import {
  type AgentStep,
  beginStep,
  type Draft,
  dropLate,
  endStep,
  failWith,
  moveTo,
} from './step.ts'
import { payloadText, type StreamEvent, streamGapCode } from './stream-event.ts'
import { countUsage } from './turn-limits.ts'

type Streamed = Extract<AgentEvent, { type: 'harness_stream' }>

export function onHarnessStream(state: AgentState, event: Streamed, now: number): AgentStep {
  const { streamEvent, ids } = event
  if (streamEvent.streamId !== state.activeStreamId) {
    return dropLate(state, `stream event ${streamEvent.type}`, streamEvent.streamId)
  }
  const draft = beginStep(state, now)
  draft.actions.push({ type: 'emit_stream_event', event: streamEvent })
  draft.state = countUsage({ ...state, heardAtMs: now }, streamEvent)
  if (streamEvent.type === 'text_delta') {
    const room = limits.streamTextLength - state.buffer.length
    const added = payloadText(streamEvent, 'text').slice(0, Math.max(0, room))
    draft.state = { ...draft.state, buffer: state.buffer + added }
  } else if (streamEvent.type === 'completed') {
    onCompleted(draft, streamEvent, ids)
  } else if (streamEvent.type === 'error' && payloadText(streamEvent, 'code') !== streamGapCode) {
    failStream(draft, errorOf(streamEvent))
  }
  return endStep(draft)
}

export function onToolRequested(
  state: AgentState,
  event: Extract<AgentEvent, { type: 'tool_requested' }>,
  now: number,
): AgentStep {
  const { streamId, call } = event
  if (streamId !== state.activeStreamId) return dropLate(state, 'tool call', call.callId)
  // A call id that comes twice would be answered twice, which every provider refuses.
  if (state.pendingToolCalls.some(({ callId }) => callId === call.callId)) {
    return dropLate(state, 'repeated tool call', call.callId)
  }
  const draft = beginStep(state, now)
  if (state.pendingToolCalls.length >= limits.toolCallsPerBatch) {
    const message = `The model made more than ${limits.toolCallsPerBatch} tool calls at once.`
    failStream(draft, agentError('streaming_failed', message, false))
  } else {
    draft.state = { ...state, pendingToolCalls: [...state.pendingToolCalls, call] }
  }
  return endStep(draft)
}

/** The answer is whole. It always passes `processing_response`, also without tools (SE-3). */
function onCompleted(draft: Draft, completed: StreamEvent, ids: Streamed['ids']): void {
  const { state } = draft
  const toolCalls: AgentToolCall[] = [...state.pendingToolCalls]
  const raw = own(completed.payload, 'raw')
  appendMessages(draft, [
    {
      role: 'assistant',
      streamId: completed.streamId,
      content: state.buffer,
      toolCalls,
      ...(raw === undefined ? {} : { raw }),
    },
  ])
  moveTo(draft, 'processing_response', 'stream_completed', { buffer: '' })
  if (toolCalls.length > 0) {
    startBatch(draft, ids)
    return
  }
  draft.state = { ...draft.state, retries: 0, lastError: null, fruitless: 0 }
  if (followAgentCalls(draft, ids)) return
  moveTo(draft, 'ready', 'stream_completed', { activeStreamId: null })
  startQueued(draft, ids)
}

/** A stream that broke: what it had asked for was never run and is forgotten with it. */
function failStream(draft: Draft, error: ReturnType<typeof agentError>): void {
  const { activeStreamId } = draft.state
  if (activeStreamId !== null) {
    draft.actions.push({ type: 'cancel_request', streamId: activeStreamId })
  }
  draft.state = { ...draft.state, pendingToolCalls: [], buffer: '' }
  cancelAgentCalls(draft)
  const { isExhausted, ...retry } = modelRetry(draft)
  failWith(draft, error, { ...retry, ...(error.retryable ? {} : { wakeAt: null }) })
  if (isExhausted || !error.retryable) giveUp(draft)
}

function errorOf(event: StreamEvent) {
  const code = payloadText(event, 'code')
  const message = payloadText(event, 'message') || 'The stream of the model broke.'
  const isFinal = own(event.payload, 'retryable') === false
  return agentError('streaming_failed', code === '' ? message : `${code}: ${message}`, !isFinal)
}

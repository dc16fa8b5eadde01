import { limits } from '../base/limits.ts'
import { own } from '../base/own.ts'
import { countedSize } from './context-size.ts'
import { agentError } from './errors.ts'
import type { AgentEvent } from './events.ts'
import { failRequest } from './fail-request.ts'
import type { StreamEventType } from './kinds.ts'
import { followAgentCalls } from './on-agent-tool.ts'
import { makesRoom, onSummary } from './on-compact.ts'
import { startBatch } from './on-tools.ts'
import type { AgentToolCall } from './records.ts'
import { appendMessages, startQueued } from './request.ts'
import type { AgentState } from './state.ts'
import { type AgentStep, beginStep, type Draft, dropLate, endStep, moveTo } from './step.ts'
import { contextTooLongCode, payloadText, type StreamEvent, streamGapCode } from './stream-event.ts'
import { countUsage } from './turn-limits.ts'

const reportedOfSummary: readonly StreamEventType[] = ['completed', 'metadata', 'status', 'error']

type Streamed = Extract<AgentEvent, { type: 'harness_stream' }>

export function onHarnessStream(state: AgentState, event: Streamed, now: number): AgentStep {
  const { streamEvent, ids } = event
  if (streamEvent.streamId !== state.activeStreamId) {
    return dropLate(state, `stream event ${streamEvent.type}`, streamEvent.streamId)
  }
  const draft = beginStep(state, now)
  // Words of a summary are not an answer; what it cost is told all the same.
  if (state.compaction === null || reportedOfSummary.includes(streamEvent.type)) {
    draft.actions.push({ type: 'emit_stream_event', event: streamEvent })
  }
  draft.state = countUsage({ ...state, heardAtMs: now }, streamEvent)
  if (streamEvent.type === 'text_delta') {
    const room = limits.streamTextLength - state.buffer.length
    const added = payloadText(streamEvent, 'text').slice(0, Math.max(0, room))
    draft.state = { ...draft.state, buffer: state.buffer + added }
  } else if (streamEvent.type === 'completed') {
    if (state.compaction === null) onCompleted(draft, streamEvent, ids)
    else onSummary(draft, ids)
  } else if (streamEvent.type === 'error') {
    onError(draft, streamEvent, ids)
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
  if (state.compaction !== null) return dropLate(state, 'tool call of a summary', call.callId)
  // A call id that comes twice would be answered twice, which every provider refuses.
  if (state.pendingToolCalls.some(({ callId }) => callId === call.callId)) {
    return dropLate(state, 'repeated tool call', call.callId)
  }
  const draft = beginStep(state, now)
  if (state.pendingToolCalls.length >= limits.toolCallsPerBatch) {
    const message = `The model made more than ${limits.toolCallsPerBatch} tool calls at once.`
    failRequest(draft, agentError('streaming_failed', message, false))
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
  const context = countedSize(draft.state.context, completed)
  moveTo(draft, 'processing_response', 'stream_completed', { buffer: '', context })
  if (toolCalls.length > 0) {
    startBatch(draft, ids)
    return
  }
  draft.state = { ...draft.state, retries: 0, lastError: null, fruitless: 0 }
  if (followAgentCalls(draft, ids)) return
  moveTo(draft, 'ready', 'stream_completed', { activeStreamId: null })
  startQueued(draft, ids)
}

function onError(draft: Draft, event: StreamEvent, ids: Streamed['ids']): void {
  const code = payloadText(event, 'code')
  if (code === streamGapCode) return
  if (code === contextTooLongCode && makesRoom(draft, ids)) return
  // Nobody has asked the model: a rule of ours stands before it (SE-5b).
  if (code === 'model_denied' || code === 'session_budget_exhausted') {
    failRequest(draft, agentError(code, payloadText(event, 'message'), false), 'limit_reached')
    return
  }
  failRequest(draft, errorOf(event))
}

function errorOf(event: StreamEvent) {
  const code = payloadText(event, 'code')
  const message = payloadText(event, 'message') || 'The connection to the model broke off.'
  const isFinal = own(event.payload, 'retryable') === false
  return agentError('streaming_failed', code === '' ? message : `${code}: ${message}`, !isFinal)
}

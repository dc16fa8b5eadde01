import { unreachable } from '../base/invariant.ts'
import { limits } from '../base/limits.ts'
import { own } from '../base/own.ts'
import { payloadNumber, payloadText, type StreamEvent } from './stream-event.ts'
import type { AgentToolLineStatus, AgentView, AgentViewItem } from './view.ts'
import { putItem } from './view-items.ts'

type Answer = Extract<AgentViewItem, { kind: 'answer' }>

export function foldStreamEvent(view: AgentView, event: StreamEvent): AgentView {
  const isSame = event.streamId === view.streamId
  // What was seen before (a feed that was resumed) must not be written twice.
  if (isSame && event.seq <= view.seq) return view
  const next = isSame ? { ...view, seq: event.seq } : view
  switch (event.type) {
    case 'text_delta':
      return addTo(next, event, 'text')
    case 'thinking_delta':
      return addTo(next, event, 'thinking')
    case 'tool_call_completed':
      return { ...next, items: putItem(next.items, toolItem(next, event)) }
    case 'completed':
      return counted(ended(next, event), event)
    case 'metadata':
      return counted(next, event)
    case 'status':
    case 'error':
      return withStatus(next, event)
    case 'tool_call_delta':
    case 'artifact_delta':
      return next
    default:
      return unreachable(event.type)
  }
}

function answerOf(view: AgentView, streamId: string): Answer {
  const found = view.items.findLast((item) => item.kind === 'answer' && item.id === streamId)
  if (found?.kind === 'answer') return found
  return { kind: 'answer', id: streamId, text: '', thinking: '', isDone: false }
}

function addTo(view: AgentView, event: StreamEvent, where: 'text' | 'thinking'): AgentView {
  const answer = answerOf(view, event.streamId)
  const text = (answer[where] + payloadText(event, 'text')).slice(0, limits.streamTextLength)
  return { ...view, items: putItem(view.items, { ...answer, [where]: text }) }
}

function ended(view: AgentView, event: StreamEvent): AgentView {
  const answer = answerOf(view, event.streamId)
  if (answer.text === '' && answer.thinking === '') return view
  return { ...view, items: putItem(view.items, { ...answer, isDone: true }) }
}

/** A call as the model made it. Agents with tools of their own tell its end here as well. */
function toolItem(view: AgentView, event: StreamEvent): AgentViewItem {
  const id = payloadText(event, 'callId')
  const before = view.items.find((item) => item.kind === 'tool' && item.id === id)
  const known = before?.kind === 'tool' ? before : undefined
  const error = payloadText(event, 'error')
  const input = own(event.payload, 'arguments') ?? known?.input
  return {
    kind: 'tool',
    id,
    ...(known?.runId === undefined ? {} : { runId: known.runId }),
    name: payloadText(event, 'name') || (known?.name ?? ''),
    status: lineStatus(payloadText(event, 'status')) ?? known?.status ?? 'requested',
    attempt: known?.attempt ?? 1,
    ...(input === undefined ? {} : { input }),
    ...(own(event.payload, 'isError') === true ? { isError: true } : {}),
    ...(error === '' ? {} : { error }),
  }
}

function lineStatus(text: string): AgentToolLineStatus | undefined {
  const words: readonly AgentToolLineStatus[] = [
    'requested',
    'queued',
    'running',
    'succeeded',
    'failed',
    'canceled',
  ]
  return words.find((word) => word === text)
}

/** Usage is told as what was used since the last time, so that it can be summed. */
function counted(view: AgentView, event: StreamEvent): AgentView {
  const model = payloadText(event, 'model')
  return {
    ...view,
    costUsd: view.costUsd + payloadNumber(event, 'costUsd'),
    inputTokens: view.inputTokens + payloadNumber(event, 'inputTokens'),
    outputTokens: view.outputTokens + payloadNumber(event, 'outputTokens'),
    model: model === '' ? view.model : model,
  }
}

function withStatus(view: AgentView, event: StreamEvent): AgentView {
  const message = payloadText(event, 'message')
  if (message === '') return view
  const code = payloadText(event, 'code')
  const text = code === '' ? message : `${code}: ${message}`
  return { ...view, items: putItem(view.items, { kind: 'status', id: event.eventId, text }) }
}

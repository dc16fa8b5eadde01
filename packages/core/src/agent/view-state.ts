import { unreachable } from '../base/invariant.ts'
import type { TurnUsage } from './records.ts'
import type { AgentStateEvent } from './state-event.ts'
import type { AgentView, AgentViewItem } from './view.ts'
import { putItem } from './view-items.ts'
import { endOutput } from './view-output.ts'

type Of<Type extends AgentStateEvent['type']> = Extract<AgentStateEvent, { type: Type }>

export function foldStateEvent(view: AgentView, event: AgentStateEvent): AgentView {
  switch (event.type) {
    case 'state_changed':
      return onChange(view, event)
    case 'tool_lifecycle':
      return onTool(view, event)
    case 'hook_lifecycle':
      return onHook(view, event)
    case 'input_queued': {
      const { messageId: id, text, isWithdrawn } = event
      const items = view.items.filter((item) => item.kind !== 'input' || item.id !== id)
      if (isWithdrawn === true) return { ...view, items }
      return { ...view, items: [...items, { kind: 'input', id, text, isQueued: true }] }
    }
    case 'compacted': {
      const { eventId: id, how, summary, tokensBefore, tokensAfter } = event
      const item = { kind: 'compaction', id, how, summary, tokensBefore, tokensAfter } as const
      const context = view.context && { ...view.context, tokens: tokensAfter }
      return { ...view, items: putItem(view.items, item), context }
    }
    case 'session_error': {
      const { code, message, retryable, source, eventId } = event
      const error = { code, message, retryable, source }
      // A refused event says nothing of how the session stands.
      const isState = code !== 'state_transition_invalid'
      const items = putItem(view.items, { kind: 'error', id: eventId, error })
      return { ...view, items, ...(isState ? { lastError: error } : {}) }
    }
    default:
      return unreachable(event)
  }
}

function onChange(view: AgentView, event: Of<'state_changed'>): AgentView {
  const { to, streamId = null, input, eventId } = event
  let { items } = view
  if (input !== undefined) {
    const id = event.messageId ?? eventId
    // One that was queued moves down to where it was begun.
    items = items.filter((item) => item.kind !== 'input' || item.id !== id)
    items = [...items, { kind: 'input', id, text: input }]
  }
  const isNew = streamId !== view.streamId
  if (to === 'calling_llm' && streamId !== null && isNew) {
    // An answer that broke off stays as it is; the retry writes its own.
    items = endAnswers(items)
  }
  if (to === 'ready' || to === 'stopped' || to === 'error') items = endAnswers(items)
  if (event.turn !== undefined) items = endTurn(items, event.turn, event.timestampMs)
  // An answer came through: what went wrong before it is over, as it is for the session.
  const lastError = to === 'processing_response' ? null : view.lastError
  const { context = view.context } = event
  return { ...view, state: to, streamId, items, lastError, context, ...(isNew ? { seq: 0 } : {}) }
}

function endAnswers(items: readonly AgentViewItem[]): readonly AgentViewItem[] {
  if (!items.some((item) => item.kind === 'answer' && !item.isDone)) return items
  return items.map((item) => (item.kind === 'answer' ? { ...item, isDone: true } : item))
}

/** A turn that goes on after a retry ends again, at its new end; one that only rests does not. */
function endTurn(
  items: readonly AgentViewItem[],
  usage: TurnUsage,
  endedAtMs: number,
): readonly AgentViewItem[] {
  const id = String(usage.startedAtMs)
  const before = items.find((item) => item.kind === 'turn' && item.id === id)
  if (before?.kind === 'turn' && before.usage.requests === usage.requests) return items
  return [...items.filter((item) => item !== before), { kind: 'turn', id, usage, endedAtMs }]
}

function onTool(view: AgentView, event: Of<'tool_lifecycle'>): AgentView {
  const { callId, runId, toolName, status, attempt, isError, error, output } = event
  const before = view.items.find((item) => item.kind === 'tool' && item.id === callId)
  const input = before?.kind === 'tool' ? before.input : undefined
  const items = putItem(view.items, {
    kind: 'tool',
    id: callId,
    runId,
    name: toolName,
    status,
    attempt,
    ...(input === undefined ? {} : { input }),
    ...duration(event),
    ...(isError === undefined ? {} : { isError }),
    ...(error === undefined ? {} : { error }),
    ...(output === undefined ? {} : { output }),
  })
  return { ...endOutput(view, runId, status), items }
}

function onHook(view: AgentView, event: Of<'hook_lifecycle'>): AgentView {
  const { runId, hookName, status, attempt, error, exitCode, output } = event
  const items = putItem(view.items, {
    kind: 'hook',
    id: runId,
    name: hookName,
    status,
    attempt,
    ...duration(event),
    ...(error === undefined ? {} : { error }),
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(output === undefined ? {} : { output }),
  })
  return { ...endOutput(view, runId, status), items }
}

function duration(run: { startedAtMs: number; finishedAtMs?: number | undefined }) {
  if (run.finishedAtMs === undefined) return {}
  return { durationMs: Math.max(0, run.finishedAtMs - run.startedAtMs) }
}

import {
  type Attributes,
  context,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { type AgentStateEvent, hasRunEnded } from '@statewright/core/internal'
import { genAi, recordDuration, recordUsage, type Usage } from './gen-ai.ts'

interface Turn {
  readonly span: Span
  request: { readonly span: Span; readonly startedAt: number; usage?: Usage } | undefined
  readonly runs: Map<string, Span>
}

/** One trace per turn, with spans for model calls, tools and hooks (SE-16). */
export class TurnTraces {
  readonly #tracer: Tracer
  readonly #turns = new Map<string, Turn>()

  constructor(tracer: Tracer = trace.getTracer('statewright')) {
    this.#tracer = tracer
  }

  onEvent(event: AgentStateEvent): void {
    const { sessionId } = event
    if (event.type === 'state_changed') {
      this.#onChange(event)
      return
    }
    const turn = this.#turns.get(sessionId)
    if (turn === undefined) return
    if (event.type === 'session_error') {
      turn.span.addEvent('session_error', { 'error.type': event.code }, event.timestampMs)
    } else if (event.type !== 'input_queued' && event.type !== 'compacted') {
      this.#onRun(turn, event)
    }
  }

  /** What the request under way took; it may be said in several pieces. */
  onUsage(sessionId: string, usage: Usage): void {
    recordUsage(usage)
    const request = this.#turns.get(sessionId)?.request
    if (request === undefined) return
    const before = request.usage
    request.usage = {
      ...usage,
      model: usage.model === '' ? (before?.model ?? '') : usage.model,
      input: usage.input + (before?.input ?? 0),
      output: usage.output + (before?.output ?? 0),
    }
  }

  #onChange(event: Extract<AgentStateEvent, { type: 'state_changed' }>): void {
    const { sessionId, timestampMs, from, to, reason } = event
    // A turn may begin with making room for it, and a compaction by command is one of its own.
    const isCompaction = reason === 'compaction' && (from === 'ready' || event.input !== undefined)
    if (to === 'calling_llm' && (reason === 'user_input' || isCompaction)) {
      this.#end(sessionId, timestampMs)
      const span = this.#tracer.startSpan('invoke_agent statewright', {
        kind: SpanKind.INTERNAL,
        attributes: {
          [genAi.operation]: 'invoke_agent',
          [genAi.agent]: 'statewright',
          [genAi.conversation]: sessionId,
        },
        startTime: timestampMs,
      })
      this.#turns.set(sessionId, { span, request: undefined, runs: new Map() })
    }
    const turn = this.#turns.get(sessionId)
    if (turn === undefined) return
    if (from === 'calling_llm') endRequest(turn, timestampMs)
    if (to === 'calling_llm') {
      const names = { [genAi.operation]: 'chat', [genAi.conversation]: sessionId }
      const span = this.#child(turn, 'chat', names, timestampMs, SpanKind.CLIENT)
      turn.request = { span, startedAt: timestampMs }
    }
    if (to === 'ready' || to === 'stopped') this.#end(sessionId, timestampMs)
  }

  #onRun(
    turn: Turn,
    event: Exclude<
      AgentStateEvent,
      { type: 'state_changed' | 'session_error' | 'input_queued' | 'compacted' }
    >,
  ): void {
    const { runId, status, attempt, timestampMs } = event
    if (status === 'running') {
      const facts = { 'statewright.attempt': attempt, ...namesOf(event) }
      const name =
        event.type === 'tool_lifecycle'
          ? `execute_tool ${event.toolName}`
          : `hook ${event.hookName}`
      turn.runs.set(runId, this.#child(turn, name, facts, timestampMs))
    } else if (hasRunEnded(status)) {
      const span = turn.runs.get(runId)
      turn.runs.delete(runId)
      if (status === 'failed') {
        span?.setStatus({ code: SpanStatusCode.ERROR, message: event.error ?? '' })
      }
      span?.end(timestampMs)
    }
  }

  #child(
    turn: Turn,
    name: string,
    attributes: Attributes,
    startTime: number,
    kind: SpanKind = SpanKind.INTERNAL,
  ): Span {
    const parent = trace.setSpan(context.active(), turn.span)
    return this.#tracer.startSpan(name, { kind, attributes, startTime }, parent)
  }

  /** Whatever is still open ends with its turn: a span that never ends is never sent. */
  #end(sessionId: string, at: number): void {
    const turn = this.#turns.get(sessionId)
    if (turn === undefined) return
    this.#turns.delete(sessionId)
    endRequest(turn, at)
    for (const span of turn.runs.values()) span.end(at)
    turn.span.end(at)
  }
}

type RunEvent = Extract<AgentStateEvent, { type: 'tool_lifecycle' | 'hook_lifecycle' }>

function namesOf(event: RunEvent): Attributes {
  const { sessionId, runId } = event
  if (event.type === 'hook_lifecycle') {
    return { 'statewright.hook.name': event.hookName, 'statewright.hook.run.id': runId }
  }
  return {
    [genAi.operation]: 'execute_tool',
    [genAi.tool]: event.toolName,
    [genAi.call]: event.callId,
    [genAi.conversation]: sessionId,
  }
}

function endRequest(turn: Turn, at: number): void {
  const { request } = turn
  if (request === undefined) return
  turn.request = undefined
  const { span, startedAt, usage } = request
  const labels = {
    ...(usage === undefined ? {} : { [genAi.provider]: usage.provider }),
    ...((usage?.model ?? '') === '' ? {} : { [genAi.responseModel]: usage?.model ?? '' }),
  }
  span.setAttributes(labels)
  if (usage !== undefined) {
    span.setAttributes({ [genAi.inputTokens]: usage.input, [genAi.outputTokens]: usage.output })
    if (usage.model !== '') span.updateName(`chat ${usage.model}`)
  }
  span.end(at)
  recordDuration('chat', labels, at - startedAt)
}

import { context, type Span, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import { type AgentStateEvent, hasRunEnded } from '@statewright/core/internal'

interface Turn {
  readonly span: Span
  request: Span | undefined
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
      turn.span.addEvent('session_error', { 'error.code': event.code }, event.timestampMs)
    } else {
      this.#onRun(turn, event)
    }
  }

  #onChange(event: Extract<AgentStateEvent, { type: 'state_changed' }>): void {
    const { sessionId, timestampMs, from, to, reason, streamId = '' } = event
    const ids = { 'session.id': sessionId, 'stream.id': streamId }
    if (to === 'calling_llm' && reason === 'user_input') {
      this.#end(sessionId, timestampMs)
      const span = this.#tracer.startSpan('session turn', {
        attributes: ids,
        startTime: timestampMs,
      })
      this.#turns.set(sessionId, { span, request: undefined, runs: new Map() })
    }
    const turn = this.#turns.get(sessionId)
    if (turn === undefined) return
    if (from === 'calling_llm') {
      turn.request?.end(timestampMs)
      turn.request = undefined
    }
    if (to === 'calling_llm') turn.request = this.#child(turn, 'llm request', ids, timestampMs)
    if (to === 'ready' || to === 'stopped') this.#end(sessionId, timestampMs)
  }

  #onRun(
    turn: Turn,
    event: Exclude<AgentStateEvent, { type: 'state_changed' | 'session_error' }>,
  ): void {
    const { runId, status, attempt, timestampMs } = event
    const isTool = event.type === 'tool_lifecycle'
    if (status === 'running') {
      const name = isTool ? { 'tool.name': event.toolName } : { 'hook.name': event.hookName }
      const facts = { 'run.id': runId, attempt, ...name }
      turn.runs.set(runId, this.#child(turn, isTool ? 'tool' : 'hook', facts, timestampMs))
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
    attributes: Readonly<Record<string, string | number>>,
    startTime: number,
  ): Span {
    const parent = trace.setSpan(context.active(), turn.span)
    return this.#tracer.startSpan(name, { attributes, startTime }, parent)
  }

  /** Whatever is still open ends with its turn: a span that never ends is never sent. */
  #end(sessionId: string, at: number): void {
    const turn = this.#turns.get(sessionId)
    if (turn === undefined) return
    this.#turns.delete(sessionId)
    turn.request?.end(at)
    for (const span of turn.runs.values()) span.end(at)
    turn.span.end(at)
  }
}

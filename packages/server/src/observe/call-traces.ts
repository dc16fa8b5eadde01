import { SpanKind, trace } from '@opentelemetry/api'
import type { JudgedFacts } from '../guard/guard.ts'

const tracer = trace.getTracer('statewright')

/** One span for each guarded call, whichever way it came in; waiting for a person is part of it. */
export function traceJudged(judged: JudgedFacts): void {
  const { tool, runId, callId, session, decision, code, startedAt, endedAt } = judged
  const span = tracer.startSpan(`judge_tool ${tool}`, {
    kind: SpanKind.INTERNAL,
    startTime: startedAt,
    attributes: {
      'gen_ai.tool.name': tool,
      'gen_ai.tool.call.id': callId,
      ...(session === undefined ? {} : { 'gen_ai.conversation.id': session }),
      ...(runId === null ? {} : { 'statewright.run.id': runId }),
      'statewright.decision': decision,
      ...(code === null ? {} : { 'statewright.code': code }),
    },
  })
  span.end(endedAt)
}

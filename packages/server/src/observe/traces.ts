import { type Attributes, SpanStatusCode, trace } from '@opentelemetry/api'

const tracer = trace.getTracer('statewright')

/** Does the work inside a span. Without a registered SDK a span costs next to nothing. */
export function inSpan<Value>(
  name: string,
  attributes: Attributes,
  work: () => Promise<Value>,
): Promise<Value> {
  return tracer.startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work()
    } catch (fault) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: String(fault) })
      throw fault
    } finally {
      span.end()
    }
  })
}

import { type Attributes, SpanStatusCode, trace } from '@opentelemetry/api'
import type { Log } from './logger.ts'

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

const sdkPackage = '@opentelemetry/sdk-node'

/**
 * Starts the exporter when an endpoint is configured and its package is there. It is not ours to
 * ship: most servers never trace.
 */
export async function startTraces(
  environment: Readonly<Record<string, string | undefined>>,
  log: Log,
): Promise<() => Promise<void>> {
  const nothing = async () => {}
  if ((environment.OTEL_EXPORTER_OTLP_ENDPOINT ?? '') === '') return nothing
  let loaded: { NodeSDK?: new (options: object) => Sdk }
  try {
    loaded = await import(sdkPackage)
  } catch {
    log.warn(`Traces are configured, but ${sdkPackage} is not installed: there will be none.`)
    return nothing
  }
  if (loaded.NodeSDK === undefined) return nothing
  const sdk = new loaded.NodeSDK({ serviceName: 'statewright' })
  sdk.start()
  log.info('traces are exported')
  return () => sdk.shutdown()
}

interface Sdk {
  start(): void
  shutdown(): Promise<void>
}

import { type DiagLogger, DiagLogLevel, diag, metrics, trace } from '@opentelemetry/api'
import type { Registry } from 'prom-client'
import type { Log } from './logger.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** How often numbers are sent, where `OTEL_METRIC_EXPORT_INTERVAL` says nothing. */
const everyMs = 60_000

/**
 * Sends traces and metrics to the collector in `OTEL_EXPORTER_OTLP_ENDPOINT`, over HTTP as JSON.
 * Its packages are loaded only then: most servers send nothing. Headers and timeouts come from the
 * variables of OpenTelemetry's own exporters.
 */
export async function startTelemetry(
  environment: Environment,
  registry: Registry,
  log: Log,
): Promise<() => Promise<void>> {
  const base = environment.OTEL_EXPORTER_OTLP_ENDPOINT?.trim().replace(/\/+$/, '') ?? ''
  if (base === '' || environment.OTEL_SDK_DISABLED === 'true') return async () => {}
  if (!URL.canParse(base)) {
    const next = 'write an address such as http://localhost:4318.'
    log.warn(
      `OTEL_EXPORTER_OTLP_ENDPOINT is not an address: traces and metrics are not sent; ${next}`,
    )
    return async () => {}
  }
  const [sdk, meters, resources, spans, numbers, producer] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/sdk-metrics'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/exporter-metrics-otlp-http'),
    import('./registry-producer.ts'),
  ])
  diag.setLogger(onProblem(log), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
  const service = environment.OTEL_SERVICE_NAME ?? 'statewright'
  const resource = resources.resourceFromAttributes({ 'service.name': service })
  const tracing = new sdk.TracerProvider({
    resource,
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: new spans.OTLPTraceExporter({ url: `${base}/v1/traces` }),
      }),
    ],
  })
  const exportIntervalMillis = Number(environment.OTEL_METRIC_EXPORT_INTERVAL ?? everyMs) || everyMs
  const measuring = new meters.MeterProvider({
    resource,
    readers: [
      new meters.PeriodicExportingMetricReader({
        exporter: new numbers.OTLPMetricExporter({ url: `${base}/v1/metrics` }),
        exportIntervalMillis,
        exportTimeoutMillis: Math.min(exportIntervalMillis, 10_000),
        metricProducers: [producer.registryProducer(registry, resource)],
      }),
    ],
  })
  trace.setGlobalTracerProvider(tracing)
  metrics.setGlobalMeterProvider(measuring)
  log.info({ endpoint: base }, 'traces and metrics are sent to a collector')
  return async () => {
    trace.disable()
    metrics.disable()
    // What was not sent is sent now; a collector that is gone must not keep the server.
    await Promise.allSettled([tracing.shutdown(), measuring.shutdown()])
    diag.disable()
  }
}

/** A collector that cannot be reached is worth a line in the log, and nothing else. */
function onProblem(log: Log): DiagLogger {
  const warn = (message: string) => log.warn({ from: 'opentelemetry' }, message)
  const silent = () => {}
  return { error: warn, warn, info: silent, debug: silent, verbose: silent }
}

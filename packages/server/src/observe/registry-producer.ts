import type { HrTime } from '@opentelemetry/api'
import { ValueType } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics'
import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client'

type Metric = MetricObjectWithValues<MetricValue<string> & { metricName?: string }>

/**
 * What Prometheus may ask for, as OpenTelemetry sends it: counted once, under the same names.
 * Everything counts from the start of the server.
 */
export function registryProducer(registry: Registry, resource: Resource): MetricProducer {
  const startTime = hrTime(Date.now())
  return {
    async collect() {
      const endTime = hrTime(Date.now())
      const found: readonly Metric[] = await registry.getMetricsAsJSON()
      const metrics = found.flatMap((metric) => metricData(metric, { startTime, endTime }))
      const scopeMetrics = [{ scope: { name: 'statewright' }, metrics }]
      return { resourceMetrics: { resource, scopeMetrics }, errors: [] }
    },
  }
}

interface Span {
  readonly startTime: HrTime
  readonly endTime: HrTime
}

function metricData({ name, help, type, values }: Metric, span: Span): MetricData[] {
  const base = {
    descriptor: { name, description: help, unit: unitOf(name), valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  const points = values.map(({ labels, value }) => ({ ...span, attributes: { ...labels }, value }))
  // Its types are an enum, whose words are these.
  switch (String(type)) {
    case 'counter':
      return [{ ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: points }]
    case 'gauge':
      return [{ ...base, dataPointType: DataPointType.GAUGE, dataPoints: points }]
    case 'histogram': {
      const dataPoints = histograms(values, span)
      return [{ ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints }]
    }
    default:
      return []
  }
}

/** Prometheus counts what lies below each bound; here each bucket counts for itself. */
function histograms(values: Metric['values'], span: Span): DataPoint<Histogram>[] {
  const byLabels = Map.groupBy(values, ({ labels: { le: _, ...labels } }) => JSON.stringify(labels))
  return [...byLabels].map(([labels, parts]) => {
    const of = (end: string) => parts.filter(({ metricName }) => metricName?.endsWith(end) === true)
    const buckets = of('_bucket').map(({ labels: { le }, value }) => ({ le: Number(le), value }))
    const ordered = buckets.toSorted((a, b) => a.le - b.le)
    const count = of('_count')[0]?.value ?? 0
    const below = ordered.filter(({ le }) => Number.isFinite(le))
    const counts = [...below.map(({ value }) => value), count]
    return {
      ...span,
      attributes: JSON.parse(labels),
      value: {
        buckets: {
          boundaries: below.map(({ le }) => le),
          counts: counts.map((value, index) => value - (counts[index - 1] ?? 0)),
        },
        sum: of('_sum')[0]?.value ?? 0,
        count,
      },
    }
  })
}

function unitOf(name: string): string {
  if (name.endsWith('_seconds')) return 's'
  return name.endsWith('_ms') ? 'ms' : ''
}

function hrTime(ms: number): HrTime {
  return [Math.floor(ms / 1000), (ms % 1000) * 1_000_000]
}

import { Counter, Histogram, type Registry } from 'prom-client'

const milliseconds = [5, 25, 100, 250, 1000, 5000, 30_000, 120_000, 300_000]

/** What Prometheus may ask of agent sessions, by the names of SE-16. */
export interface SessionMetrics {
  readonly transitions: Counter<'from' | 'to'>
  readonly toolRuns: Histogram<'tool_name' | 'status'>
  readonly hookRuns: Histogram<'hook_name' | 'status'>
  readonly errors: Counter<'code'>
}

export function sessionMetrics(registry: Registry): SessionMetrics {
  const registers = [registry]
  return {
    transitions: new Counter({
      name: 'agent_state_transitions_total',
      help: 'Changes of state of agent sessions.',
      labelNames: ['from', 'to'],
      registers,
    }),
    toolRuns: new Histogram({
      name: 'tool_run_duration_ms',
      help: 'How long tools of agent sessions ran.',
      labelNames: ['tool_name', 'status'],
      buckets: milliseconds,
      registers,
    }),
    hookRuns: new Histogram({
      name: 'hook_run_duration_ms',
      help: 'How long post-tool hooks ran.',
      labelNames: ['hook_name', 'status'],
      buckets: milliseconds,
      registers,
    }),
    errors: new Counter({
      name: 'session_errors_total',
      help: 'Errors reported by agent sessions.',
      labelNames: ['code'],
      registers,
    }),
  }
}

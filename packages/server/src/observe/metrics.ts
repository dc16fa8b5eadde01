import type { Entry } from '@statewright/core/internal'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Runtime } from '../runtime/runtime.ts'
import { type SessionMetrics, sessionMetrics } from './session-metrics.ts'

const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]
const maxCounted = 1000

/** What Prometheus may ask. Each server has its own registry, so that two can share a process. */
export class Metrics {
  readonly registry = new Registry()
  readonly #decisions: Counter
  readonly #transitions: Counter
  readonly #refusals: Counter
  readonly #requests: Histogram
  readonly #commits: Histogram
  readonly sessions: SessionMetrics

  constructor() {
    const registers = [this.registry]
    this.#decisions = new Counter({
      name: 'statewright_decisions_total',
      help: 'Tool calls decided, by decision and code; passed_deny: observe mode let it pass.',
      labelNames: ['decision', 'code'],
      registers,
    })
    this.#transitions = new Counter({
      name: 'statewright_transitions_total',
      help: 'Transitions of runs from one state to another.',
      registers,
    })
    this.#refusals = new Counter({
      name: 'statewright_refusals_total',
      help: 'Events that the rules refused, by code.',
      labelNames: ['code'],
      registers,
    })
    this.#requests = new Histogram({
      name: 'statewright_http_seconds',
      help: 'Time to answer a request, by route and status.',
      labelNames: ['method', 'route', 'status'],
      buckets: seconds,
      registers,
    })
    this.sessions = sessionMetrics(this.registry)
    this.#commits = new Histogram({
      name: 'statewright_commit_seconds',
      help: 'Time until entries of a run were durable.',
      buckets: seconds,
      registers,
    })
  }

  /** Counts what was committed, whichever door it came through. */
  countEntries(entries: readonly Entry[]): void {
    for (const entry of entries) {
      if (entry.type === 'call_decided') {
        const decision = entry.would === undefined ? entry.decision : `passed_${entry.would}`
        this.#decisions.inc({ decision, code: entry.code ?? '' })
      } else if (entry.type === 'transitioned') this.#transitions.inc()
      else if (entry.type === 'refused') this.#refusals.inc({ code: entry.code })
    }
  }

  /** A call that was denied without an entry, since something of ours had failed. */
  countFailedCheck(): void {
    this.#decisions.inc({ decision: 'deny', code: 'internal' })
  }

  timeRequest(labels: { method: string; route: string; status: number }, took: number): void {
    this.#requests.observe(labels, took)
  }

  timeCommit(took: number): void {
    this.#commits.observe(took)
  }

  /** Numbers that are looked up when asked for. */
  watch(runtime: Pick<Runtime, 'live' | 'store'>): void {
    const registers = [this.registry]
    new Gauge({
      name: 'statewright_live_runs',
      help: 'Runs held in memory.',
      registers,
      collect() {
        this.set(runtime.live.size)
      },
    })
    new Gauge({
      name: 'statewright_approvals_open',
      help: `Approvals that wait for a person; ${maxCounted} means that many or more.`,
      registers,
      async collect() {
        const waiting = { status: 'waiting', limit: maxCounted } as const
        this.set((await runtime.store.approvals.list(waiting)).length)
      },
    })
  }

  text(): Promise<string> {
    return this.registry.metrics()
  }
}

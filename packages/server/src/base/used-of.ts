import type { CounterTake, CounterUsage } from '@statewright/core/internal'

/** How much of a counter is used, as people read it. */
export interface UsedOf {
  readonly kind: 'rate' | 'budget'
  /** Calls, or US dollars. */
  readonly used: number
  readonly max: number
  readonly window_seconds?: number
  readonly period?: string
  readonly resets_at: string | null
  readonly free: boolean
}

export function usedOf(take: CounterTake, usage: CounterUsage): UsedOf {
  const { used, max, resetsAt, free } = usage
  const resets_at = resetsAt === null ? null : new Date(resetsAt).toISOString()
  if (take.kind === 'rate') {
    return { kind: 'rate', used, max, window_seconds: take.windowMs / 1000, resets_at, free }
  }
  const usd = (micros: number) => micros / 1_000_000
  return { kind: 'budget', used: usd(used), max: usd(max), period: take.period, resets_at, free }
}

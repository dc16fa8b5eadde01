import { invariant } from '../base/invariant.ts'
import type { CounterUsage, RateTake } from './usage.ts'

/** The calls that were let through under one rate: their times, oldest first. */
export interface RateWindow {
  readonly times: readonly number[]
}

export type RateBound = Pick<RateTake, 'maxCalls' | 'windowMs'>

export const emptyWindow: RateWindow = { times: [] }

/** What is used of a rate (PO-5): a call counts until exactly one window has passed. */
export function rateUsage(window: RateWindow, limit: RateBound, now: number): CounterUsage {
  const times = liveTimes(window, limit, now)
  const free = times.length < limit.maxCalls
  // With a lowered limit several calls have to leave the window before there is room.
  const leaver = times[times.length - limit.maxCalls]
  return {
    used: times.length,
    max: limit.maxCalls,
    resetsAt: free || leaver === undefined ? null : leaver + limit.windowMs,
    free,
  }
}

/** Counts one call, or gives back undefined when the rate is used up. */
export function takeRate(
  window: RateWindow,
  limit: RateBound,
  now: number,
): RateWindow | undefined {
  const times = liveTimes(window, limit, now)
  if (times.length >= limit.maxCalls) return undefined
  return { times: [...times, timeOf(window, now)] }
}

/**
 * A clock that was set back stands still until it has caught up. Times then never decrease, and
 * no window can hold more calls than it may.
 */
function timeOf({ times }: RateWindow, now: number): number {
  invariant(Number.isFinite(now), 'the time is a number')
  return Math.max(now, times.at(-1) ?? now)
}

function liveTimes(window: RateWindow, limit: RateBound, now: number): readonly number[] {
  const { times } = window
  const from = timeOf(window, now) - limit.windowMs
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((times[middle] ?? 0) <= from) low = middle + 1
    else high = middle
  }
  return low === 0 ? times : times.slice(low)
}

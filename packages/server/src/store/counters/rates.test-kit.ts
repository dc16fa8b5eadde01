import type { CounterUsage } from '@statewright/core/internal'
import type { RateBound } from './rate-log.ts'

/**
 * A rate as the plain list of its calls, the oracle of `rate-log.ts` and of the stores: the times
 * of what was let through, oldest first.
 */
export interface RateWindow {
  readonly times: readonly number[]
}

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
  return Math.max(now, times.at(-1) ?? now)
}

function liveTimes(window: RateWindow, limit: RateBound, now: number): readonly number[] {
  const from = timeOf(window, now) - limit.windowMs
  return window.times.filter((time) => time > from)
}

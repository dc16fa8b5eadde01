import type { CounterUsage } from '@statewright/core/internal'

/**
 * A rate as a numbered list of the calls let through, of which only the ends are read: a window
 * may hold 100,000 calls, and copying them for each call would cost more than the call. Numbers
 * have no gaps and times never decrease, so two ends tell how many lie between them. A test holds
 * it against the plain list.
 */
export interface RateLog {
  /** Number and time of the last call; zeros before the first. */
  readonly lastNumber: number
  readonly lastAt: number
  /** Number of the oldest call that still lies in the window; null when none does. */
  readonly firstNumber: number | null
  /** Time of the call that must leave before there is room; null when there is room. */
  readonly leaverAt: number | null
}

export interface RateBound {
  readonly maxCalls: number
  readonly windowMs: number
}

export const emptyRateLog: RateLog = {
  lastNumber: 0,
  lastAt: 0,
  firstNumber: null,
  leaverAt: null,
}

/** Calls at this time or before have left the window. A clock set back stands still (PO-5). */
export function windowStart(lastAt: number, windowMs: number, now: number): number {
  return Math.max(now, lastAt) - windowMs
}

export function callsInWindow(log: Pick<RateLog, 'firstNumber' | 'lastNumber'>): number {
  return log.firstNumber === null ? 0 : log.lastNumber - log.firstNumber + 1
}

export function rateLogUsage(log: RateLog, bound: RateBound): CounterUsage {
  const used = callsInWindow(log)
  const free = used < bound.maxCalls
  const resetsAt = free || log.leaverAt === null ? null : log.leaverAt + bound.windowMs
  return { used, max: bound.maxCalls, resetsAt, free }
}

/** The log with one more call, or undefined when the rate is used up. */
export function takeFromLog(log: RateLog, bound: RateBound, now: number): RateLog | undefined {
  if (callsInWindow(log) >= bound.maxCalls) return undefined
  const lastNumber = log.lastNumber + 1
  return {
    lastNumber,
    lastAt: Math.max(now, log.lastAt),
    firstNumber: log.firstNumber ?? lastNumber,
    leaverAt: null,
  }
}

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  callsInWindow,
  emptyRateLog,
  type RateBound,
  type RateLog,
  rateLogUsage,
  takeFromLog,
  windowStart,
} from './rate-log.ts'
import { emptyWindow, type RateWindow, rateUsage, takeRate } from './rates.test-kit.ts'

/** A rate with its calls as a database keeps them. */
class Rate {
  private log = emptyRateLog
  private calls: { readonly number: number; readonly at: number }[] = []

  /** What a database reads: the calls after the start of the window, of which it needs two. */
  read(bound: RateBound, now: number): RateLog {
    const start = windowStart(this.log.lastAt, bound.windowMs, now)
    const live = this.calls.filter((one) => one.at > start)
    const ends = { ...this.log, firstNumber: live[0]?.number ?? null }
    return { ...ends, leaverAt: live[callsInWindow(ends) - bound.maxCalls]?.at ?? null }
  }

  usage(bound: RateBound, now: number) {
    return rateLogUsage(this.read(bound, now), bound)
  }

  /** Whether there was room. */
  take(bound: RateBound, now: number): boolean {
    const next = takeFromLog(this.read(bound, now), bound, now)
    if (next === undefined) return false
    this.log = next
    this.calls.push({ number: next.lastNumber, at: next.lastAt })
    return true
  }
}

function rateWith(bound: RateBound, ...times: number[]): Rate {
  const rate = new Rate()
  expect(times.map((now) => rate.take(bound, now))).toEqual(times.map(() => true))
  return rate
}

describe('a rolling window', () => {
  const limit = { maxCalls: 2, windowMs: 1000 }

  test('PO-5: at most max_calls within any window, to the millisecond', () => {
    const rate = rateWith(limit, 5000, 5400)
    expect(rate.usage(limit, 5999)).toEqual({ used: 2, max: 2, resetsAt: 6000, free: false })
    expect(rate.take(limit, 5999)).toBe(false)
    expect(rate.usage(limit, 6000)).toEqual({ used: 1, max: 2, resetsAt: null, free: true })
    expect(rate.take(limit, 6000)).toBe(true)
  })

  test('PO-5: a lowered limit has room only when enough calls have left', () => {
    const rate = rateWith({ maxCalls: 3, windowMs: 1000 }, 1000, 1100, 1200)
    const lowered = { maxCalls: 1, windowMs: 1000 }
    expect(rate.usage(lowered, 1300)).toEqual({ used: 3, max: 1, resetsAt: 2200, free: false })
  })

  test('PO-5: a clock that is set back lets nothing more through', () => {
    const rate = rateWith(limit, 9000, 9000)
    expect(rate.take(limit, 100)).toBe(false)
    expect(rate.usage(limit, 100)).toEqual({ used: 2, max: 2, resetsAt: 10_000, free: false })
  })

  test('PO-5: when there is room again is exact', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(gaps, (steps) => {
        let now = 0
        const rate = new Rate()
        for (const step of steps) {
          now += step
          rate.take(limit, now)
        }
        const { free, resetsAt } = rate.usage(limit, now)
        if (free || resetsAt === null) return
        expect(rate.take(limit, resetsAt - 1)).toBe(false)
        expect(rate.take(limit, resetsAt)).toBe(true)
      }),
    )
  })

  test('PO-5: its ends tell what the whole list tells, however the clock jumps', () => {
    const steps = fc.array(
      fc.record({
        ms: fc.integer({ min: -500, max: 900 }),
        maxCalls: fc.integer({ min: 1, max: 5 }),
      }),
      { maxLength: 60 },
    )
    fc.assert(
      fc.property(steps, (taken) => {
        let window: RateWindow = emptyWindow
        const rate = new Rate()
        let now = 1_000_000
        for (const { ms, maxCalls } of taken) {
          now += ms
          const bound = { maxCalls, windowMs: 1_000 }
          expect(rate.usage(bound, now)).toEqual(rateUsage(window, bound, now))
          const next = takeRate(window, bound, now)
          expect(rate.take(bound, now)).toBe(next !== undefined)
          window = next ?? window
        }
      }),
    )
  })
})

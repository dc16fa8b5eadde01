import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emptyWindow, type RateWindow, rateUsage, takeRate } from './rates.ts'

const limit = { maxCalls: 2, windowMs: 1000 }

function take(window: RateWindow, now: number): RateWindow {
  const next = takeRate(window, limit, now)
  if (next === undefined) throw new Error('expected room')
  return next
}

describe('a rolling window', () => {
  test('PO-5: at most max_calls within any window, to the millisecond', () => {
    const full = take(take(emptyWindow, 5000), 5400)
    expect(takeRate(full, limit, 5999)).toBeUndefined()
    expect(rateUsage(full, limit, 5999)).toEqual({ used: 2, max: 2, resetsAt: 6000, free: false })
    expect(takeRate(full, limit, 6000)).toEqual({ times: [5400, 6000] })
    expect(rateUsage(full, limit, 6000)).toEqual({ used: 1, max: 2, resetsAt: null, free: true })
  })

  test('PO-5: a lowered limit has room only when enough calls have left', () => {
    const window = { times: [1000, 1100, 1200] }
    const lowered = { maxCalls: 1, windowMs: 1000 }
    expect(rateUsage(window, lowered, 1300)).toEqual({
      used: 3,
      max: 1,
      resetsAt: 2200,
      free: false,
    })
  })

  test('PO-5: a clock that is set back lets nothing more through', () => {
    const full = take(take(emptyWindow, 9000), 9000)
    expect(takeRate(full, limit, 100)).toBeUndefined()
    expect(rateUsage(full, limit, 100)).toEqual({ used: 2, max: 2, resetsAt: 10_000, free: false })
    expect(() => takeRate(full, limit, Number.NaN)).toThrow('bug')
  })

  test('PO-5: no window holds more than it may, however the clock jumps', () => {
    const jumps = fc.array(fc.integer({ min: -3000, max: 1500 }), { maxLength: 60 })
    fc.assert(
      fc.property(jumps, fc.integer({ min: 1, max: 5 }), (steps, maxCalls) => {
        const rate = { maxCalls, windowMs: 1000 }
        let now = 10_000
        let window = emptyWindow
        const taken: number[] = []
        for (const step of steps) {
          now += step
          const { free, used } = rateUsage(window, rate, now)
          const next = takeRate(window, rate, now)
          expect(next !== undefined).toBe(free)
          expect(used).toBeLessThanOrEqual(maxCalls)
          if (next === undefined) continue
          window = next
          taken.push(next.times.at(-1) ?? 0)
        }
        for (const time of taken) {
          const inside = taken.filter((other) => other >= time && other < time + rate.windowMs)
          expect(inside.length).toBeLessThanOrEqual(maxCalls)
        }
      }),
    )
  })

  test('PO-5: when there is room again is exact', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(gaps, (steps) => {
        let now = 0
        let window = emptyWindow
        for (const step of steps) {
          now += step
          window = takeRate(window, limit, now) ?? window
        }
        const { free, resetsAt } = rateUsage(window, limit, now)
        if (free || resetsAt === null) return
        expect(takeRate(window, limit, resetsAt - 1)).toBeUndefined()
        expect(takeRate(window, limit, resetsAt)).toBeDefined()
      }),
    )
  })
})

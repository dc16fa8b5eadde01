import { emptyWindow, type RateWindow, rateUsage, takeRate } from '@statewright/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { callsInWindow, emptyRateLog, rateLogUsage, takeFromLog, windowStart } from './rate-log.ts'

test('PO-5: the ends of a rate tell what its whole list tells', () => {
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
      let log = emptyRateLog
      let calls: { number: number; at: number }[] = []
      let now = 1_000_000
      for (const { ms, maxCalls } of taken) {
        now += ms
        const bound = { maxCalls, windowMs: 1_000 }
        // What a database reads: the calls after the start of the window, of which it needs two.
        const live = calls.filter((one) => one.at > windowStart(log.lastAt, bound.windowMs, now))
        const ends = { ...log, firstNumber: live[0]?.number ?? null }
        const leaverAt = live[callsInWindow(ends) - maxCalls]?.at ?? null
        const read = { ...ends, leaverAt }
        expect(rateLogUsage(read, bound)).toEqual(rateUsage(window, bound, now))
        const next = takeRate(window, bound, now)
        const nextLog = takeFromLog(read, bound, now)
        expect(nextLog === undefined).toBe(next === undefined)
        if (next === undefined || nextLog === undefined) continue
        window = next
        log = nextLog
        calls = [...calls, { number: log.lastNumber, at: log.lastAt }]
      }
    }),
  )
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from '../base/limits.ts'
import {
  type BudgetBound,
  type BudgetCounter,
  budgetUsage,
  chargeBudget,
  emptyBudget,
  reserveBudget,
  settleBudget,
} from './budgets.ts'
import { periodEnd, periodStart } from './periods.ts'
import type { Period } from './usage.ts'

const hour = 3_600_000
const noon = Date.UTC(2026, 0, 15, 12)
const midnight = Date.UTC(2026, 0, 16)
const limit: BudgetBound = { period: 'daily', maxMicros: 1000, reserveMicros: 300 }
const blind: BudgetBound = { ...limit, reserveMicros: null }
const call = (callId: string, now = noon, capability = 'a') => ({
  callId,
  capability,
  now,
  expiresAt: now + 60_000,
})

function reserve(counter: BudgetCounter, rule: BudgetBound, ...calls: ReturnType<typeof call>[]) {
  return calls.reduce((so, one) => {
    const next = reserveBudget(so, rule, one)
    if (next === undefined) throw new Error(`${one.callId} does not fit`)
    return next
  }, counter)
}

/** A budget whose one tool has told that it costs so much. */
function known(costMicros: number, rule = limit): BudgetCounter {
  return { ...settled(emptyBudget, costMicros, rule), spent: 0 }
}

function settled(counter: BudgetCounter, costMicros: number, rule = limit): BudgetCounter {
  const open = reserve(counter, rule, call('known'))
  return settleBudget(open, rule, { callId: 'known', costMicros, now: noon })
}

describe('periods', () => {
  test.each<[Period, string, string, string]>([
    ['hourly', '2026-03-29T01:59:59.999Z', '2026-03-29T01:00:00.000Z', '2026-03-29T02:00:00.000Z'],
    ['daily', '2026-12-31T23:59:59.999Z', '2026-12-31T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
    ['monthly', '2026-01-31T12:00:00.000Z', '2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'],
    ['monthly', '2028-02-29T23:00:00.000Z', '2028-02-01T00:00:00.000Z', '2028-03-01T00:00:00.000Z'],
    ['monthly', '2026-02-28T23:59:59.999Z', '2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
    ['monthly', '2026-12-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
  ])('PO-6: the %s period of %s', (period, at, start, end) => {
    const now = Date.parse(at)
    expect(new Date(periodStart(period, now)).toISOString()).toBe(start)
    expect(new Date(periodEnd(period, now) ?? 0).toISOString()).toBe(end)
  })
})

describe('a budget', () => {
  test('PO-6: parallel calls cannot overspend together', () => {
    const three = reserve(known(300), limit, call('1'), call('2'), call('3'))
    expect(reserveBudget(three, limit, call('4'))).toBeUndefined()
    expect(budgetUsage(three, limit, { capability: 'a', now: noon })).toEqual({
      used: 900,
      max: 1000,
      resetsAt: noon + 60_000,
      free: false,
    })
  })

  test('PO-6: a call settles at its real cost, once', () => {
    const one = reserve(emptyBudget, limit, call('1'))
    const result = { callId: '1', costMicros: 40, now: noon }
    const settled = settleBudget(one, limit, result)
    expect(settled).toEqual({
      at: noon,
      spent: 40,
      reservations: [],
      largestCosts: [{ capability: 'a', micros: 40 }],
    })
    expect(settleBudget(settled, limit, result)).toEqual(settled)
  })

  test('PO-6a: the larger of the largest cost so far and the reserve is held back', () => {
    const one = settled(known(450), 20)
    expect(reserve(one, limit, call('2')).reservations[0]?.micros).toBe(450)
    expect(reserve(known(100), limit, call('2')).reservations[0]?.micros).toBe(300)
  })

  test('PO-6a: with a figure of its own, too, the first call runs alone', () => {
    const one = reserve(emptyBudget, limit, call('1'))
    expect(reserveBudget(one, limit, call('2'))).toBeUndefined()
    expect(budgetUsage(one, limit, { capability: 'a', now: noon })).toEqual({
      used: 300,
      max: 1000,
      resetsAt: noon + 60_000,
      free: false,
      waits: true,
    })
  })

  test('PO-6a: what came out dearer is a debt that closes the rule', () => {
    const dear = settled(known(300), 5000)
    expect(dear.spent).toBe(5000)
    expect(reserveBudget(dear, limit, call('2', noon, 'b'))).toBeUndefined()
    // In the next period it needs the whole budget: it runs first and alone, or not at all.
    const next = reserve(dear, limit, call('2', midnight))
    expect(next.reservations[0]?.micros).toBe(1000)
    expect(reserveBudget(next, limit, call('3', midnight))).toBeUndefined()
  })

  test('PR-9: a cost that belongs to no call is booked at once, in a session for good', () => {
    const session: BudgetBound = { ...blind, period: 'session' }
    const one = chargeBudget(emptyBudget, session, { costMicros: 999, now: noon })
    const year = noon + 365 * 24 * hour
    expect(budgetUsage(one, session, { capability: 'a', now: year }).used).toBe(999)
    const over = chargeBudget(one, session, { costMicros: 1, now: year })
    expect(budgetUsage(over, session, { capability: 'a', now: year })).toEqual({
      used: 1000,
      max: 1000,
      resetsAt: null,
      free: false,
    })
  })

  test('PO-6: with no known cost one call runs at a time', () => {
    const one = reserve(emptyBudget, blind, call('1'))
    expect(reserveBudget(one, blind, call('2'))).toBeUndefined()
    const known = settleBudget(one, blind, { callId: '1', costMicros: 100, now: noon })
    const two = reserve(known, blind, call('2'), call('3'))
    expect(two.reservations.map((open) => open.micros)).toEqual([100, 100])
    // Another capability has no known cost yet and waits for its turn.
    expect(reserveBudget(two, blind, call('4', noon, 'b'))).toBeUndefined()
  })

  test('PO-6a: a result without a cost frees what was held back, and the tool with it', () => {
    const one = reserve(emptyBudget, blind, call('1'))
    const settled = settleBudget(one, blind, { callId: '1', costMicros: null, now: noon })
    expect({ spent: settled.spent, open: settled.reservations }).toEqual({ spent: 0, open: [] })
    expect(reserve(settled, blind, call('2'), call('3')).reservations).toHaveLength(2)
  })

  test('PO-6: a lost result is given up after its time, and counts when it comes late', () => {
    const one = reserve(emptyBudget, blind, call('1'))
    const later = noon + 60_000
    expect(reserveBudget(one, blind, call('2', later - 1))).toBeUndefined()
    const two = reserve(one, blind, call('2', later))
    const late = settleBudget(two, blind, { callId: '1', costMicros: 70, now: later })
    expect(late.spent).toBe(70)
  })

  test('PO-6: a new period starts from zero and carries calls on their way', () => {
    const spent = settleBudget(reserve(emptyBudget, limit, call('1', midnight - 2)), limit, {
      callId: '1',
      costMicros: 1000,
      now: midnight - 2,
    })
    const usage = budgetUsage(spent, limit, { capability: 'b', now: midnight - 1 })
    expect(usage).toEqual({ used: 1000, max: 1000, resetsAt: midnight, free: false })
    const next = reserve(spent, limit, call('2', midnight, 'b'))
    expect({ spent: next.spent, open: next.reservations.length }).toEqual({ spent: 0, open: 1 })
    const carried = reserve(emptyBudget, limit, call('1', midnight - 1))
    const after = budgetUsage(carried, limit, { capability: 'a', now: midnight })
    expect(after.used).toBe(300)
  })

  test('PO-6: a clock that is set back does not reopen a period', () => {
    const one = reserve(emptyBudget, limit, call('1', midnight))
    const spent = settleBudget(one, limit, { callId: '1', costMicros: 1000, now: midnight })
    expect(reserveBudget(spent, limit, call('2', midnight - hour))).toBeUndefined()
  })

  test('PO-6: a budget of nothing lets nothing through, and one call counts once', () => {
    expect(reserveBudget(emptyBudget, { ...limit, maxMicros: 0 }, call('1'))).toBeUndefined()
    const one = reserve(emptyBudget, limit, call('1'))
    expect(reserveBudget(one, limit, call('1'))).toEqual(one)
  })

  test('PO-6: open calls are bounded, and only lost ones make room', () => {
    const wide = { ...limit, maxMicros: 1e9, reserveMicros: 1 }
    const ids = Array.from({ length: limits.reservations }, (_, index) => `${index}`)
    const full = reserve(known(1, wide), wide, ...ids.map((id) => call(id)))
    expect(reserveBudget(full, wide, call('more'))).toBeUndefined()
    const later = reserve(full, wide, call('more', noon + 60_000))
    expect(later.reservations.length).toBe(limits.reservations)
  })

  test('PO-6: the largest costs of so many capabilities are known, the oldest go first', () => {
    const wide = { ...limit, maxMicros: 1e9 }
    const names = Array.from({ length: limits.knownCosts + 1 }, (_, index) => `${index}`)
    const counter = names.reduce((so, name) => {
      const open = reserve(so, wide, call(name, noon, name))
      return settleBudget(open, wide, { callId: name, costMicros: 1, now: noon })
    }, emptyBudget)
    expect(counter.largestCosts.map((one) => one.capability)).toEqual(names.slice(1))
  })

  test('PO-6: only what came out dearer passes the limit, in any order of events', () => {
    const step = fc.record({
      kind: fc.constantFrom('reserve', 'settle', 'lose', 'wait'),
      pick: fc.nat(7),
      cost: fc.option(fc.integer({ min: 0, max: 700 })),
      capability: fc.constantFrom('a', 'b'),
      wait: fc.integer({ min: -hour, max: 30 * hour }),
    })
    const rule = fc.record({
      period: fc.constantFrom<Period[]>('hourly', 'daily', 'monthly', 'session'),
      maxMicros: fc.integer({ min: 0, max: 1000 }),
      reserveMicros: fc.option(fc.integer({ min: 0, max: 400 })),
    })
    fc.assert(
      fc.property(rule, fc.array(step, { maxLength: 60 }), (budget, steps) => {
        let counter = emptyBudget
        let now = noon
        let serial = 0
        // By how much calls were dearer than what was held back for them.
        let debt = 0
        for (const { kind, pick, cost, capability, wait } of steps) {
          const open = counter.reservations.filter((one) => one.expiresAt > counter.at)
          const chosen = open[pick % Math.max(1, open.length)]
          if (kind === 'wait') now += wait
          if (kind === 'reserve') {
            const { free } = budgetUsage(counter, budget, { capability, now })
            const next = reserveBudget(counter, budget, call(`${serial++}`, now, capability))
            expect(next !== undefined).toBe(free)
            counter = next ?? counter
          }
          if (kind === 'settle' && chosen !== undefined) {
            debt += Math.max(0, (cost ?? 0) - chosen.micros)
            const result = { callId: chosen.callId, costMicros: cost, now }
            counter = settleBudget(counter, budget, result)
          }
          if (kind === 'lose' && chosen !== undefined) now = Math.max(now, chosen.expiresAt)
          const { spent, reservations } = counter
          const held = reservations.filter((one) => one.expiresAt > counter.at)
          const total = held.reduce((sum, one) => sum + one.micros, spent)
          expect(total).toBeLessThanOrEqual(budget.maxMicros + debt)
          expect(held.some((one) => one.alone) ? held.length : 1).toBe(1)
        }
      }),
      { numRuns: 500 },
    )
  })
})

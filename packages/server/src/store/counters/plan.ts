import {
  type BudgetCounter,
  budgetUsage,
  type CounterScope,
  type CounterTake,
  type CounterUsage,
  callKeyOf,
  chargeBudget,
  counterKey,
  emptyBudget,
  type Period,
  reserveBudget,
  settleBudget,
} from '@statewright/core/internal'
import type { CounterCharges, CounterSettles, CounterTakes } from '../counter-store.ts'
import { emptyRateLog, type RateLog, rateLogUsage, takeFromLog, windowStart } from './rate-log.ts'

export interface BudgetState {
  readonly period: Period
  readonly counter: BudgetCounter
}

/** What the database holds of the counters that a batch touches, by their stored keys. */
export interface CounterStates {
  readonly now: number
  readonly rates: ReadonlyMap<string, RateLog>
  readonly budgets: ReadonlyMap<string, BudgetState>
}

export interface CounterChange {
  readonly runId: string
  readonly takes: CounterTakes | undefined
  readonly settles: CounterSettles | undefined
  readonly charges: CounterCharges | undefined
  readonly reservationMs: number
}

/** What a batch changes; written only once all of it is known to fit. */
export interface CounterWrites {
  readonly rates: readonly RateWrite[]
  readonly budgets: readonly BudgetWrite[]
  /** Reservations that the batch makes, so that a result finds its budgets. */
  readonly reserved: readonly ReservationKey[]
  /** The call whose reservations the batch ends. */
  readonly settled: string | null
  readonly now: number
}

export interface RateWrite {
  readonly key: string
  readonly number: number
  readonly at: number
  /** Calls up to this time count no more. */
  readonly deadUntil: number
}

export interface BudgetWrite {
  readonly key: string
  readonly period: Period
  readonly counter: BudgetCounter
}

export interface ReservationKey {
  readonly callKey: string
  readonly key: string
  readonly expiresAt: number
}

export type PlanCounters = typeof planCounters

/** What the batch writes to the counters, or undefined when one of them has no room. */
export function planCounters(
  states: CounterStates,
  change: CounterChange,
): CounterWrites | undefined {
  const { runId, takes, settles, charges } = change
  const draft: Draft = { rates: new Map(), budgets: new Map(), reserved: [], logs: new Map() }
  if (settles !== undefined) settle(states, draft, runId, settles)
  if (charges !== undefined) charge(states, draft, charges)
  if (takes !== undefined && !takeAll(states, draft, change, takes)) return undefined
  return {
    rates: [...draft.rates.values()],
    budgets: [...draft.budgets.values()],
    reserved: draft.reserved,
    settled: settles === undefined ? null : callKeyOf(runId, settles.callId),
    now: states.now,
  }
}

/** What each counter has left, by the keys of the takes. */
export function usageOf(
  states: CounterStates,
  takes: readonly CounterTake[],
  scope: CounterScope & { readonly capability: string },
): Readonly<Record<string, CounterUsage>> {
  const { capability } = scope
  return Object.fromEntries(
    takes.map((take) => {
      const key = counterKey(scope, take)
      if (take.kind === 'rate') {
        return [take.key, rateLogUsage(states.rates.get(key) ?? emptyRateLog, take)]
      }
      const counter = states.budgets.get(key)?.counter ?? emptyBudget
      return [take.key, budgetUsage(counter, take, { capability, now: states.now })]
    }),
  )
}

interface Draft {
  readonly rates: Map<string, RateWrite>
  readonly budgets: Map<string, BudgetWrite>
  readonly reserved: ReservationKey[]
  /** Rates as this batch leaves them: two rules may share a counter. */
  readonly logs: Map<string, RateLog>
}

function settle(
  states: CounterStates,
  draft: Draft,
  runId: string,
  { callId, costMicros }: CounterSettles,
): void {
  const result = { callId: callKeyOf(runId, callId), costMicros, now: states.now }
  for (const [key, { period, counter }] of states.budgets) {
    if (!counter.reservations.some((one) => one.callId === result.callId)) continue
    // Settling reads no bound but the period.
    const bound = { period, maxMicros: 0, reserveMicros: null }
    draft.budgets.set(key, { key, period, counter: settleBudget(counter, bound, result) })
  }
}

function charge(states: CounterStates, draft: Draft, charges: CounterCharges): void {
  const { takes, costMicros } = charges
  const { now } = states
  for (const take of takes) {
    const key = counterKey(charges, take)
    const before = (draft.budgets.get(key) ?? states.budgets.get(key))?.counter ?? emptyBudget
    const counter = chargeBudget(before, take, { costMicros, now })
    draft.budgets.set(key, { key, period: take.period, counter })
  }
}

function takeAll(
  states: CounterStates,
  draft: Draft,
  { runId, reservationMs }: CounterChange,
  scope: CounterTakes,
): boolean {
  const { takes, callId, capability } = scope
  const { now } = states
  const callKey = callKeyOf(runId, callId)
  return takes.every((take) => {
    const key = counterKey(scope, take)
    if (take.kind === 'rate') {
      const before = draft.logs.get(key) ?? states.rates.get(key) ?? emptyRateLog
      const log = takeFromLog(before, take, now)
      if (log === undefined) return false
      draft.logs.set(key, log)
      const deadUntil = windowStart(log.lastAt, take.windowMs, now)
      draft.rates.set(key, { key, number: log.lastNumber, at: log.lastAt, deadUntil })
      return true
    }
    const before = (draft.budgets.get(key) ?? states.budgets.get(key))?.counter ?? emptyBudget
    const expiresAt = Math.max(now, before.at) + reservationMs
    const counter = reserveBudget(before, take, { callId: callKey, capability, expiresAt, now })
    if (counter === undefined) return false
    draft.budgets.set(key, { key, period: take.period, counter })
    draft.reserved.push({ callKey, key, expiresAt })
    return true
  })
}

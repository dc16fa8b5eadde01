import {
  type BudgetCounter,
  budgetUsage,
  chargeBudget,
  emptyBudget,
  reserveBudget,
  settleBudget,
} from '../policy/budgets.ts'
import {
  type CounterScope,
  callKeyOf,
  counterKey,
  defaultReservationMs,
} from '../policy/counter-keys.ts'
import type { BudgetTake, CounterTake, CounterUsage, Period } from '../policy/usage.ts'
import type { RunAction } from '../run/step.ts'
import { RateWindow } from './rate-window.ts'

export interface CountedRun extends CounterScope {
  readonly id: string
}

/**
 * Rates and budgets as the replayed runs would have used them, from nothing: what other runs used
 * is not known here (RP-6). Runs are told in the order of time.
 */
export class Recount {
  readonly #rates = new Map<string, RateWindow>()
  readonly #budgets = new Map<string, { period: Period; counter: BudgetCounter }>()
  /** The budgets that hold money back for a call. */
  readonly #reserved = new Map<string, readonly string[]>()

  usage(
    takes: readonly CounterTake[],
    run: CountedRun,
    { at, capability }: { readonly at: number; readonly capability: string },
  ): Record<string, CounterUsage> {
    const all: Record<string, CounterUsage> = {}
    for (const take of takes) {
      const key = counterKey(run, take)
      if (take.kind === 'rate') {
        all[take.key] = (this.#rates.get(key) ?? new RateWindow()).usage(take, at)
        continue
      }
      const counter = this.#budgets.get(key)?.counter ?? emptyBudget
      all[take.key] = budgetUsage(counter, take, { capability, now: at })
    }
    return all
  }

  /** What a step of a run does to the counters. */
  apply(run: CountedRun, actions: readonly RunAction[], at: number): void {
    for (const action of actions) {
      if (action.type === 'take_counters') this.#take(run, action, at)
      if (action.type === 'settle_counters') this.#settle(run, action, at)
      if (action.type !== 'charge_counters') continue
      for (const take of action.takes) this.#charge(run, take, action.costMicros, at)
    }
  }

  #take(
    run: CountedRun,
    { takes, callId, capability }: Extract<RunAction, { type: 'take_counters' }>,
    now: number,
  ): void {
    const callKey = callKeyOf(run.id, callId)
    const held: string[] = []
    for (const take of takes) {
      const key = counterKey(run, take)
      if (take.kind === 'rate') {
        const calls = this.#rates.get(key) ?? new RateWindow()
        calls.add(take, now)
        this.#rates.set(key, calls)
        continue
      }
      const before = this.#budgets.get(key)?.counter ?? emptyBudget
      const expiresAt = now + defaultReservationMs
      const call = { callId: callKey, capability, expiresAt, now }
      const counter = reserveBudget(before, take, call)
      if (counter === undefined) continue
      this.#budgets.set(key, { period: take.period, counter })
      held.push(key)
    }
    if (held.length > 0) this.#reserved.set(callKey, held)
  }

  #settle(
    run: CountedRun,
    { callId, costMicros }: Extract<RunAction, { type: 'settle_counters' }>,
    now: number,
  ): void {
    const callKey = callKeyOf(run.id, callId)
    for (const key of this.#reserved.get(callKey) ?? []) {
      const known = this.#budgets.get(key)
      if (known === undefined) continue
      // Settling reads no bound but the period.
      const bound = { period: known.period, maxMicros: 0, reserveMicros: null }
      const counter = settleBudget(known.counter, bound, { callId: callKey, costMicros, now })
      this.#budgets.set(key, { period: known.period, counter })
    }
    this.#reserved.delete(callKey)
  }

  #charge(run: CountedRun, take: BudgetTake, costMicros: number, now: number): void {
    const key = counterKey(run, take)
    const before = this.#budgets.get(key)?.counter ?? emptyBudget
    const counter = chargeBudget(before, take, { costMicros, now })
    this.#budgets.set(key, { period: take.period, counter })
  }
}

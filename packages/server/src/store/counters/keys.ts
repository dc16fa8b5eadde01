import { type BudgetCounter, type CounterTake, counterKey } from '@statewright/core/internal'
import type { CounterCharges, CounterTakes } from '../counter-store.ts'

export interface KeyedTake {
  readonly take: CounterTake
  readonly key: string
}

/** The counters that a batch may change, beside those that its call reserved before. */
export function keysOf(batch: {
  readonly takes: CounterTakes | undefined
  readonly charges: CounterCharges | undefined
}): KeyedTake[] {
  const { takes, charges } = batch
  const taken = takes?.takes.map((take) => ({ take, key: counterKey(takes, take) })) ?? []
  const charged = charges?.takes.map((take) => ({ take, key: counterKey(charges, take) })) ?? []
  return [...taken, ...charged]
}

/** A counter as it was stored; earlier builds did not know the largest costs. */
export function readBudget(text: string): BudgetCounter {
  return { largestCosts: [], ...JSON.parse(text) }
}

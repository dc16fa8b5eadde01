import type { BudgetTake, CounterTake, CounterUsage } from '@statewright/core/internal'

/** Counters are shared by all runs under a policy and role, across server nodes (PO-5). */
export interface CounterTakes {
  readonly callId: string
  readonly role: string
  /** Whose session budgets are meant (PR-9c). */
  readonly session: string
  /** What is called: a budget remembers the last cost of each. */
  readonly capability: string
  readonly at: number
  readonly takes: readonly CounterTake[]
}

export interface CounterSettles {
  readonly callId: string
  readonly at: number
  readonly capability: string
  readonly costMicros: number | null
}

/** A cost that nothing was held back for. */
export interface CounterCharges {
  readonly role: string
  readonly session: string
  readonly at: number
  readonly takes: readonly BudgetTake[]
  readonly costMicros: number
}

export interface CounterStore {
  /** What each counter has left at a time, by the take's key. On Postgres its own clock counts. */
  usage(
    takes: readonly CounterTake[],
    scope: {
      readonly role: string
      readonly session: string
      readonly at: number
      readonly capability: string
    },
  ): Promise<Readonly<Record<string, CounterUsage>>>
}

import type { BudgetCounter, CounterTake } from '@statewright/core/internal'
import type { CounterCharges, CounterTakes } from '../counter-store.ts'

/** Whose counters are meant. */
export interface CounterScope {
  readonly role: string
  /** Whose session budgets: those runs that draw on the same ones name the same (PR-9c). */
  readonly session: string
}

/** Rates and budgets are shared by policy and role, session budgets by session (PO-5, PR-9c). */
export function counterKey({ role, session }: CounterScope, take: CounterTake): string {
  const isOfSession = take.kind === 'budget' && take.period === 'session'
  return JSON.stringify(isOfSession ? ['session', session, take.key] : [role, take.key])
}

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
  const session = charges?.session ?? ''
  const charged = charges?.takes.map((take) => {
    return { take, key: counterKey({ role: '', session }, take) }
  })
  return [...taken, ...(charged ?? [])]
}

/** A counter as it was stored; earlier builds did not know the largest costs. */
export function readBudget(text: string): BudgetCounter {
  return { largestCosts: [], ...JSON.parse(text) }
}

/** Call ids come from clients, and two runs may use the same: neither may settle for the other. */
export function callKeyOf(runId: string, callId: string): string {
  return JSON.stringify([runId, callId])
}

import type { CounterTake } from './usage.ts'

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

/** Call ids come from clients, and two runs may use the same: neither may settle for the other. */
export function callKeyOf(runId: string, callId: string): string {
  return JSON.stringify([runId, callId])
}

/** How long money is held back for a call whose result does not come (PO-6). */
export const defaultReservationMs = 10 * 60_000

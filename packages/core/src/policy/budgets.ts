import { invariant } from '../base/invariant.ts'
import { limits } from '../base/limits.ts'
import { periodEnd, periodStart } from './periods.ts'
import type { BudgetTake, CounterUsage } from './usage.ts'

/** Money held back for a call until its result tells the real cost. */
export interface Reservation {
  readonly callId: string
  readonly capability: string
  readonly micros: number
  /** After this time the result counts as lost and the money is free again. */
  readonly expiresAt: number
}

/** What a store holds for one budget. All amounts are micro-dollars. */
export interface BudgetCounter {
  /** The latest time it has seen. A clock that was set back stands still until it has caught up. */
  readonly at: number
  /** Spent in the period of that time. */
  readonly spent: number
  readonly reservations: readonly Reservation[]
  /** The last cost of each capability, newest last. */
  readonly lastCosts: readonly { readonly capability: string; readonly micros: number }[]
}

export type BudgetBound = Pick<BudgetTake, 'period' | 'maxMicros' | 'reserveMicros'>

export const emptyBudget: BudgetCounter = {
  at: 0,
  spent: 0,
  reservations: [],
  lastCosts: [],
}

/** What is used of a budget, and whether one more call of the capability fits (PO-6). */
export function budgetUsage(
  counter: BudgetCounter,
  limit: BudgetBound,
  { capability, now }: { readonly capability: string; readonly now: number },
): CounterUsage {
  const current = broughtTo(counter, limit, now)
  const open = openReservations(current)
  const used = current.spent + sum(open)
  const free = amountToReserve(current, limit, capability) !== undefined
  return { used, max: limit.maxMicros, resetsAt: free ? null : resetTime(), free }

  /** Where only calls on their way stand against it, the first of them may make room. */
  function resetTime(): number {
    const end = periodEnd(limit.period, current.at)
    const expected = expectedCost(current, limit, capability) ?? 0
    if (current.spent >= limit.maxMicros || current.spent + expected > limit.maxMicros) return end
    return Math.min(end, ...open.map((one) => one.expiresAt))
  }
}

/** Holds money back for a call, or gives back undefined when it does not fit. */
export function reserveBudget(
  counter: BudgetCounter,
  limit: BudgetBound,
  call: Omit<Reservation, 'micros'> & { readonly now: number },
): BudgetCounter | undefined {
  const { callId, capability, expiresAt, now } = call
  const current = broughtTo(counter, limit, now)
  if (current.reservations.some((one) => one.callId === callId)) return current
  const micros = amountToReserve(current, limit, capability)
  if (micros === undefined) return undefined
  const reservation = { callId, capability, micros, expiresAt }
  const kept = withinBound(current)
  return kept && { ...current, reservations: [...kept, reservation] }
}

/**
 * Books the real cost of a call when its result comes; null when the result names none. A result
 * that comes after its reservation was given up still counts, since the money is gone; one that
 * was booked already does not count twice.
 */
export function settleBudget(
  counter: BudgetCounter,
  limit: BudgetBound,
  result: { readonly callId: string; readonly costMicros: number | null; readonly now: number },
): BudgetCounter {
  const current = broughtTo(counter, limit, result.now)
  const reservation = current.reservations.find((one) => one.callId === result.callId)
  if (reservation === undefined) return current
  const reservations = current.reservations.filter((one) => one !== reservation)
  const { costMicros } = result
  if (costMicros === null) return { ...current, reservations }
  const { capability } = reservation
  const others = current.lastCosts.filter((one) => one.capability !== capability)
  const lastCosts = [...others, { capability, micros: costMicros }].slice(-limits.lastCosts)
  const spent = Math.min(current.spent + costMicros, Number.MAX_SAFE_INTEGER)
  return { ...current, spent, reservations, lastCosts }
}

/**
 * The amount that a call must reserve, or undefined when it does not fit. A call whose cost nobody
 * knows takes all that is left, so that no other runs beside it.
 */
function amountToReserve(
  current: BudgetCounter,
  limit: BudgetBound,
  capability: string,
): number | undefined {
  const open = openReservations(current)
  const left = limit.maxMicros - current.spent - sum(open)
  if (left <= 0) return undefined
  const expected = expectedCost(current, limit, capability)
  if (expected === undefined) return open.length === 0 ? left : undefined
  return expected <= left ? expected : undefined
}

/** The larger of the last known cost and the rule's own figure; undefined with neither. */
function expectedCost(
  current: BudgetCounter,
  limit: BudgetBound,
  capability: string,
): number | undefined {
  const last = current.lastCosts.find((one) => one.capability === capability)?.micros
  if (last === undefined) return limit.reserveMicros ?? undefined
  return Math.max(last, limit.reserveMicros ?? 0)
}

/** The counter at `now`. In a new period nothing is spent; calls on their way are carried over. */
function broughtTo(counter: BudgetCounter, limit: BudgetBound, now: number): BudgetCounter {
  invariant(Number.isFinite(now), 'the time is a number')
  if (now <= counter.at) return counter
  const later = { ...counter, at: now }
  if (periodStart(limit.period, now) <= periodStart(limit.period, counter.at)) return later
  return { ...later, spent: 0, reservations: openReservations(later) }
}

function openReservations({ reservations, at }: BudgetCounter): readonly Reservation[] {
  return reservations.filter((one) => one.expiresAt > at)
}

/** Room for one more; the oldest lost ones make it, and only them. */
function withinBound({ reservations, at }: BudgetCounter): readonly Reservation[] | undefined {
  if (reservations.length < limits.reservations) return reservations
  const lost = reservations.findIndex((one) => one.expiresAt <= at)
  return lost < 0 ? undefined : reservations.toSpliced(lost, 1)
}

function sum(reservations: readonly Reservation[]): number {
  return reservations.reduce((total, one) => total + one.micros, 0)
}

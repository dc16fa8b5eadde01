import { invariant } from '../base/invariant.ts'
import { limits } from '../base/limits.ts'
import { periodEnd, periodStart } from './periods.ts'
import type { BudgetTake, CounterUsage } from './usage.ts'

/** Money held back for a call until its result tells the real cost. */
export interface Reservation {
  readonly callId: string
  readonly capability: string
  readonly micros: number
  /** Nobody knows what it will cost, so that nothing runs beside it. */
  readonly alone?: true
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
  /** The largest cost that each capability has told, the one that told last at the end. */
  readonly largestCosts: readonly { readonly capability: string; readonly micros: number }[]
}

export type BudgetBound = Pick<BudgetTake, 'period' | 'maxMicros' | 'reserveMicros'>

export const emptyBudget: BudgetCounter = {
  at: 0,
  spent: 0,
  reservations: [],
  largestCosts: [],
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
  const max = limit.maxMicros
  if (amountToReserve(current, limit, capability) !== undefined) {
    return { used, max, resetsAt: null, free: true }
  }
  const expected = expectedCost(current, limit, capability)
  const needed = expected ?? limit.reserveMicros ?? 0
  const isBlind = expected === undefined || open.some((one) => one.alone)
  const fits = used < max && current.spent + needed <= max
  const waits = isBlind && fits ? { waits: true as const } : {}
  return { used, max, resetsAt: resetTime(needed), free: false, ...waits }

  /** Where only calls on their way stand against it, the first of them may make room. */
  function resetTime(needed: number): number | null {
    const end = periodEnd(limit.period, current.at)
    if (current.spent >= max || current.spent + needed > max) return end
    const soonest = Math.min(...open.map((one) => one.expiresAt))
    return end === null ? soonest : Math.min(end, soonest)
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
  const amount = amountToReserve(current, limit, capability)
  if (amount === undefined) return undefined
  const reservation = { callId, capability, ...amount, expiresAt }
  const kept = withinBound(current)
  return kept && { ...current, reservations: [...kept, reservation] }
}

/**
 * Books the real cost of a call when its result comes; null when the result names none, which makes
 * the capability free until it names one. A result that comes after its reservation was given up
 * still counts, since the money is gone; one that was booked already does not count twice.
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
  const cost = Math.max(0, result.costMicros ?? 0)
  const { capability } = reservation
  const micros = Math.max(cost, largestCost(current, capability) ?? 0)
  const others = current.largestCosts.filter((one) => one.capability !== capability)
  const largestCosts = [...others, { capability, micros }].slice(-limits.knownCosts)
  const charged = chargeBudget(current, limit, { costMicros: cost, now: result.now })
  return { ...charged, reservations, largestCosts }
}

/** Books a cost that nothing was held back for: what a model took, say. */
export function chargeBudget(
  counter: BudgetCounter,
  limit: BudgetBound,
  { costMicros, now }: { readonly costMicros: number; readonly now: number },
): BudgetCounter {
  const current = broughtTo(counter, limit, now)
  return { ...current, spent: Math.min(current.spent + costMicros, Number.MAX_SAFE_INTEGER) }
}

/**
 * What a call must reserve, or undefined when it does not fit. A call whose cost nobody knows runs
 * with nothing beside it: two of them could each take all that is left.
 */
function amountToReserve(
  current: BudgetCounter,
  limit: BudgetBound,
  capability: string,
): Pick<Reservation, 'micros' | 'alone'> | undefined {
  const open = openReservations(current)
  const left = limit.maxMicros - current.spent - sum(open)
  if (left <= 0 || open.some((one) => one.alone)) return undefined
  const expected = expectedCost(current, limit, capability)
  if (expected !== undefined) return expected <= left ? { micros: expected } : undefined
  const reserved = limit.reserveMicros ?? 0
  if (open.length > 0 || reserved > left) return undefined
  return { micros: reserved, alone: true }
}

/**
 * The larger of the largest known cost and the rule's own figure; undefined until a result came.
 * What has cost more than the whole budget needs all of it: it may run where nothing is spent yet.
 */
function expectedCost(
  current: BudgetCounter,
  limit: BudgetBound,
  capability: string,
): number | undefined {
  const known = largestCost(current, capability)
  if (known === undefined) return undefined
  return Math.max(Math.min(known, limit.maxMicros), limit.reserveMicros ?? 0)
}

function largestCost({ largestCosts }: BudgetCounter, capability: string): number | undefined {
  return largestCosts.find((one) => one.capability === capability)?.micros
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

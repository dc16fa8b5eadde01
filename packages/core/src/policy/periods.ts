import { unreachable } from '../base/invariant.ts'
import type { Period } from './usage.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** When the UTC hour, day or month that holds `now` began (PO-6). */
export function periodStart(period: Period, now: number): number {
  switch (period) {
    case 'hourly':
      return Math.floor(now / hourMs) * hourMs
    case 'daily':
      return Math.floor(now / dayMs) * dayMs
    case 'monthly':
      return monthStart(now, 0)
    case 'session':
      return 0
    default:
      return unreachable(period)
  }
}

/** When the period that holds `now` ends and the next begins; null when it never does. */
export function periodEnd(period: Period, now: number): number | null {
  switch (period) {
    case 'hourly':
      return periodStart(period, now) + hourMs
    case 'daily':
      return periodStart(period, now) + dayMs
    case 'monthly':
      return monthStart(now, 1)
    case 'session':
      return null
    default:
      return unreachable(period)
  }
}

function monthStart(now: number, later: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1)
}

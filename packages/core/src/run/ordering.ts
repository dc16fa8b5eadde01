import type { Json } from '../base/json.ts'

/**
 * Compares two numbers, or two strings that are both ISO 8601 dates. Anything else cannot be
 * ordered and gives NaN, with which every comparison is false (WF-18).
 */
export function compareOrdered(left: Json, right: Json): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right
  if (typeof left === 'string' && typeof right === 'string') {
    return isoInstant(left) - isoInstant(right)
  }
  return Number.NaN
}

const isoShape =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:\d{2})?)?$/

/**
 * Milliseconds since 1970 of a full ISO date or date-time; without an offset it is UTC. NaN when it
 * is not a date. `Date.parse` is no help: it reads local time and accepts much that is no ISO date.
 */
export function isoInstant(text: string): number {
  const parts = isoShape.exec(text)
  if (parts === null) return Number.NaN
  const number = (index: number) => Number(parts[index] ?? 0)
  const [year, month, day] = [number(1), number(2), number(3)]
  const [hour, minute, second] = [number(4), number(5), number(6)]
  const valid =
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysIn(year, month) &&
    (hour < 24 || (hour === 24 && minute === 0 && second === 0)) &&
    minute < 60 &&
    second < 60
  if (!valid) return Number.NaN
  const fraction = Number(`0.${parts[7] ?? '0'}`) * 1000
  const days = daysSinceEpoch(year, month, day)
  const clock = ((hour * 60 + minute) * 60 + second) * 1000
  return days * 86_400_000 + clock + fraction - offsetMs(parts[8])
}

function offsetMs(offset: string | undefined): number {
  if (offset === undefined || offset === 'Z') return 0
  const [hours, rest] = [Number(offset.slice(1, 3)), Number(offset.slice(4, 6))]
  if (hours > 23 || rest > 59) return Number.NaN
  const minutes = hours * 60 + rest
  return (offset.startsWith('-') ? -minutes : minutes) * 60_000
}

function daysIn(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
}

function daysSinceEpoch(year: number, month: number, day: number): number {
  // March is counted as the first month, so that the leap day is the last day of a year.
  const shifted = month <= 2 ? year - 1 : year
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const monthFromMarch = (month + 9) % 12
  const dayOfYear = Math.floor((153 * monthFromMarch + 2) / 5) + day - 1
  const leaps = Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100)
  return era * 146_097 + yearOfEra * 365 + leaps + dayOfYear - 719_468
}

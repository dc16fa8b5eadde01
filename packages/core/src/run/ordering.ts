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
  const match = isoShape.exec(text)
  if (match === null) return Number.NaN
  const number = (index: number) => Number(match[index] ?? 0)
  const [year, month, day] = [number(1), number(2), number(3)]
  const [hour, minute, second] = [number(4), number(5), number(6)]
  const date = new Date(0)
  // Unlike `Date.UTC` it takes the year 99 for what it is. A 31st of April becomes the 1st of May.
  const midnight = date.setUTCFullYear(year, month - 1, day)
  const valid =
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    (hour < 24 || (hour === 24 && minute === 0 && second === 0)) &&
    minute < 60 &&
    second < 60
  if (!valid) return Number.NaN
  const fraction = Number(`0.${match[7] ?? '0'}`) * 1000
  const clock = ((hour * 60 + minute) * 60 + second) * 1000
  return midnight + clock + fraction - offsetMs(match[8])
}

function offsetMs(offset: string | undefined): number {
  if (offset === undefined || offset === 'Z') return 0
  const [hours, rest] = [Number(offset.slice(1, 3)), Number(offset.slice(4, 6))]
  if (hours > 23 || rest > 59) return Number.NaN
  const minutes = hours * 60 + rest
  return (offset.startsWith('-') ? -minutes : minutes) * 60_000
}

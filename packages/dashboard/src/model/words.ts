/** Numbers and times in the few words that lists have room for. */

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

export function ago(at: number, now: number): string {
  const past = now - at
  if (past < 5 * second) return 'now'
  if (past < minute) return `${Math.floor(past / second)} s ago`
  if (past < hour) return `${Math.floor(past / minute)} min ago`
  if (past < day) return `${Math.floor(past / hour)} h ago`
  return `${Math.floor(past / day)} d ago`
}

export function left(until: number, now: number): string {
  const rest = until - now
  if (rest <= 0) return 'over'
  if (rest < minute) return `${Math.ceil(rest / second)} s left`
  if (rest < hour) return `${Math.ceil(rest / minute)} min left`
  if (rest < day) return `${Math.ceil(rest / hour)} h left`
  return `${Math.ceil(rest / day)} d left`
}

export function usd(value: number): string {
  if (value === 0) return '$0'
  return value < 0.01 ? '<$0.01' : `$${value.toFixed(2)}`
}

export function bytes(value: number): string {
  if (value < 1024) return `${value} B`
  if (value < 1024 * 1024) return `${(value / 1024).toFixed(1)} kB`
  return `${(value / 1024 / 1024).toFixed(1)} MB`
}

/** "1 run", "2 runs". */
export function count(value: number, word: string): string {
  return `${value} ${word}${value === 1 ? '' : 's'}`
}

/** The part of an id that people compare by eye. */
export function shortId(id: string): string {
  return id.length <= 14 ? id : `${id.slice(0, 8)}…${id.slice(-4)}`
}

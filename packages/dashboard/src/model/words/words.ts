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

/** Since the start of the run, in the unit that people would use. */
export function sinceStart(ms: number): string {
  if (ms < 60_000) return `+${(ms / 1000).toFixed(1)} s`
  const minutes = Math.floor(ms / 60_000)
  const seconds = Math.floor((ms % 60_000) / 1000)
  if (minutes < 60) return `+${minutes}:${String(seconds).padStart(2, '0')} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return `+${hours} h ${minutes % 60} min`
  return `+${Math.floor(hours / 24)} d ${hours % 24} h`
}

/** How long something took. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 120) return `${minutes} min ${seconds % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
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

const spans: Readonly<Record<number, string>> = {
  1: 'second',
  60: 'minute',
  3600: 'hour',
  86400: 'day',
}

/** "per hour", "in 30 min". */
export function perSeconds(seconds: number): string {
  const word = spans[seconds]
  return word === undefined ? `in ${duration(seconds * 1000)}` : `per ${word}`
}

const periods: Readonly<Record<string, string>> = {
  hourly: 'per hour',
  daily: 'per day',
  weekly: 'per week',
  monthly: 'per month',
  session: 'per session',
}

/** The time of a budget, as people say it. */
export function perPeriod(period: string): string {
  return Object.hasOwn(periods, period) ? (periods[period] ?? period) : period
}

/** "1 run", "2 runs". */
export function count(value: number, word: string): string {
  return `${value} ${word}${value === 1 ? '' : 's'}`
}

/** The part of an id that people compare by eye. */
export function shortId(id: string): string {
  return id.length <= 14 ? id : `${id.slice(0, 8)}…${id.slice(-4)}`
}

/** What the levels of protection are, in a few words for every page. */
export const levelNames = {
  L0: 'same user, no sandbox',
  L1: 'same user, commands in a sandbox',
  L2: 'another user or machine',
} as const

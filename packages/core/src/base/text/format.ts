import { cut } from '../cut.ts'

const shownJson = 200

/**
 * One value of a phrase as its text wants it. Lists are joined, and whatever is missing or odd is
 * shown as JSON: stored values may be anything.
 */
export function formatValue(
  value: unknown,
  how: string | undefined,
  phraseText: (value: unknown) => string | undefined,
): string {
  if (typeof value === 'string' && how !== 'json') return value
  switch (how) {
    case 'json':
      return cutJson(jsonText(value))
    case 'usd':
      return typeof value === 'number' ? formatUsd(value) : plain(value, phraseText)
    case 'time':
      return typeof value === 'number' ? isoTime(value) : plain(value, phraseText)
    case 'seconds':
      return typeof value === 'number' ? String(value / 1000) : plain(value, phraseText)
    default:
      if (!Array.isArray(value)) return plain(value, phraseText)
      if (value.length === 0 && how === 'none') return 'none'
      return value.map((item) => plain(item, phraseText)).join(separators.get(how ?? '') ?? ', ')
  }
}

function plain(item: unknown, phraseText: (value: unknown) => string | undefined): string {
  return typeof item === 'string' ? item : (phraseText(item) ?? jsonText(item))
}

const separators: ReadonlyMap<string, string> = new Map([
  ['and', ' and '],
  ['or', ' or '],
  ['semicolons', '; '],
  ['sentences', ' '],
])

function jsonText(value: unknown): string {
  return JSON.stringify(value) ?? 'null'
}

function cutJson(text: string): string {
  return text.length > shownJson ? `${cut(text, shownJson + 1)}` : text
}

const microsPerUsd = 1_000_000

/** An amount for people: two decimals, more where the amount has them. */
export function formatUsd(micros: number): string {
  const whole = Math.floor(micros / microsPerUsd)
  const digits = String(micros % microsPerUsd).padStart(6, '0')
  return `$${whole}.${digits.slice(0, 2)}${digits.slice(2).replace(/0+$/, '')}`
}

/** The number itself for a time that no calendar holds. */
function isoTime(ms: number): string {
  const date = new Date(ms)
  return Number.isNaN(date.getTime()) ? String(ms) : date.toISOString()
}

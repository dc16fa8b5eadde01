/** Money is counted in whole micro-dollars, so that sums are exact. */
export const microsPerUsd = 1_000_000

/** The most that is counted; far above any budget. */
const largestMicros = Number.MAX_SAFE_INTEGER

/**
 * Dollars in micro-dollars, a fraction rounded up, so that no cost is lost. A cost below zero is
 * none: a tool must not earn its caller a budget. What is no number counts as the most there is.
 */
export function toMicros(usd: number): number {
  return convert(usd, { roundUp: true })
}

/** The same for a limit: a fraction of a micro-dollar does not raise it. */
export function limitMicros(usd: number): number {
  return convert(usd, { roundUp: false })
}

/**
 * Works on the decimal digits. 1.1 * 1,000,000 is 1,100,000.0000000002, which rounding up would
 * turn into a wrong amount.
 */
function convert(usd: number, { roundUp }: { roundUp: boolean }): number {
  if (Number.isNaN(usd)) return largestMicros
  if (usd <= 0) return 0
  if (usd >= largestMicros / microsPerUsd) return largestMicros
  const [mantissa = '', exponent = '0'] = String(usd).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = whole + fraction
  const point = whole.length + Number(exponent) + 6
  if (point <= 0) return roundUp ? 1 : 0
  const kept = Number(digits.slice(0, point).padEnd(point, '0'))
  return roundUp && /[1-9]/.test(digits.slice(point)) ? kept + 1 : kept
}

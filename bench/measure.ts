/** One line of the report: a speed beside its baseline, measured in the same run. */
export interface BenchResult {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** How what it is compared with did; absent where there is nothing to compare with. */
  readonly baseline?: number
  readonly against?: string
  /** How many times better than the baseline. */
  readonly ratio?: number
  readonly target?: string
  /** Further figures of the same measurement. */
  readonly more?: Readonly<Record<string, number>>
}

/**
 * Runs both sides in turn, round by round, and takes the median of each, so that a noisy machine
 * disturbs them alike. `work` does the given number of operations.
 */
export function compareSpeeds(
  ours: (count: number) => void,
  theirs: (count: number) => void,
  options: { roundMs?: number; rounds?: number } = {},
): { ours: number; theirs: number } {
  const { roundMs = 150, rounds = 9 } = options
  const ourCount = calibrate(ours, roundMs)
  const theirCount = calibrate(theirs, roundMs)
  const ourSpeeds: number[] = []
  const theirSpeeds: number[] = []
  for (let round = 0; round < rounds; round++) {
    ourSpeeds.push(speed(ours, ourCount))
    theirSpeeds.push(speed(theirs, theirCount))
  }
  return { ours: median(ourSpeeds), theirs: median(theirSpeeds) }
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

/** Warms the code up and finds how many operations fill a round. */
function calibrate(work: (count: number) => void, roundMs: number): number {
  let count = 100
  for (;;) {
    const tookMs = timeMs(() => work(count))
    if (tookMs >= roundMs) return Math.max(1, Math.round((count * roundMs) / tookMs))
    count = Math.ceil(count * Math.min(10, Math.max(1.5, roundMs / Math.max(tookMs, 0.01))))
  }
}

function speed(work: (count: number) => void, count: number): number {
  return (count / timeMs(() => work(count))) * 1000
}

function timeMs(work: () => void): number {
  const started = process.hrtime.bigint()
  work()
  return Number(process.hrtime.bigint() - started) / 1e6
}

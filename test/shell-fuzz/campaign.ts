import { newRandom } from '../../packages/server/testing/random.ts'
import { type Checked, checkOutcome, type Failure } from './check.ts'
import { corpus } from './corpus.ts'
import { type Outcome, Runner } from './runner.ts'

export interface Summary {
  /** Lines that bash ran and that were checked. */
  readonly lines: number
  /** Lines that were not run, or whose run came to no end that tells anything. */
  readonly lost: number
  readonly reported: number
  readonly readOnly: number
  readonly missedButDenied: number
  readonly failures: readonly Failure[]
}

const batch = 60

/** Runners that share the work; each runs one line at a time. */
export class Pool {
  readonly #runners: readonly Runner[]

  constructor(isCaged: boolean, size = 2) {
    this.#runners = Array.from({ length: size }, () => new Runner(isCaged))
  }

  mayRun(line: string): boolean {
    return this.#runners[0]?.mayRun(line) ?? false
  }

  /** Runs lines that are taken one batch after another, and hands on what came of each. */
  async run(lines: Iterator<string>, onOutcome: (outcome: Outcome) => void): Promise<void> {
    await Promise.all(
      this.#runners.map(async (runner) => {
        for (;;) {
          const some: string[] = []
          while (some.length < batch) {
            const next = lines.next()
            if (next.done === true) break
            some.push(next.value)
          }
          if (some.length === 0) return
          for (const outcome of await runner.run(some)) onOutcome(outcome)
        }
      }),
    )
  }

  close(): void {
    for (const runner of this.#runners) runner.close()
  }
}

/** Runs `count` lines of the corpus and checks each. */
export async function campaign(pool: Pool, seed: number, count: number): Promise<Summary> {
  const failures: Failure[] = []
  let [lines, lost, reported, readOnly, missedButDenied] = [0, 0, 0, 0, 0]
  await pool.run(runnable(pool, seed, count), (outcome) => {
    if (outcome.isLost) {
      lost++
      return
    }
    const checked: Checked = checkOutcome(outcome)
    lines++
    if (checked.isReportedAndAllowed) reported++
    if (checked.isReadOnlyAllowed) readOnly++
    if (checked.isMissedButDenied) missedButDenied++
    if (checked.failure !== null) failures.push(checked.failure)
  })
  return {
    lines,
    lost,
    reported,
    readOnly,
    missedButDenied,
    failures: await confirm(pool, failures),
  }
}

/**
 * Runs failing lines once more, one at a time. What a line left behind in another process group
 * (`setsid`) may have been written down for the next one.
 */
async function confirm(pool: Pool, failures: readonly Failure[]): Promise<Failure[]> {
  const confirmed: Failure[] = []
  for (const { line } of failures) {
    await pool.run([':', line].values(), (outcome) => {
      const { failure } = checkOutcome(outcome)
      if (failure !== null) confirmed.push(failure)
    })
  }
  return confirmed
}

function* runnable(pool: Pool, seed: number, count: number): Generator<string> {
  let left = count
  for (const line of corpus(newRandom(seed))) {
    if (!pool.mayRun(line)) continue
    yield line
    if (--left === 0) return
  }
}

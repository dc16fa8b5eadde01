/** Where a run stands apart from what it used, and how much of each limit that is. */
export interface Spot {
  readonly base: string
  readonly counts: readonly number[]
}

/**
 * Attempts that brought nothing: they led nowhere, or only where another one of the same lane led.
 * What does so does it too where more is used up, since limits only close, and for both alike:
 * calls of a lane use the same limits, and with other files changed they would have led elsewhere.
 * Most of what is tried in a situation was tried in one like it before.
 */
export class BarrenMoves {
  readonly #known = new Map<string, Spot & { readonly attempts: ReadonlyMap<string, boolean> }>()

  /** Attempts that need not be made here, and whether the call was let through. */
  at({ base, counts }: Spot): ReadonlyMap<string, boolean> {
    const known = this.#known.get(base)
    return known !== undefined && isLess(known.counts, counts) ? known.attempts : none
  }

  note({ base, counts }: Spot, attempts: ReadonlyMap<string, boolean>): void {
    const known = this.#known.get(base)
    if (known !== undefined && isLess(known.counts, counts)) return
    this.#known.set(base, { base, counts, attempts })
  }
}

/** What came of the attempts in one situation. */
export class Attempts {
  readonly #let = new Map<string, boolean>()
  readonly #led = new Map<string, Set<string>>()
  readonly #fruitful = new Set<string>()

  /** Made, and maybe let through. */
  make(attempt: string, isLet: boolean): void {
    this.#let.set(attempt, isLet || this.#let.get(attempt) === true)
  }

  /** Led somewhere, in words that are the same for what leads there in the same way. */
  lead(attempt: string, where: string): void {
    this.#led.set(attempt, (this.#led.get(attempt) ?? new Set()).add(where))
  }

  /** Did more than lead somewhere. */
  bear(attempt: string): void {
    this.#fruitful.add(attempt)
  }

  /** Those that nobody would have missed. */
  barren(): ReadonlyMap<string, boolean> {
    const seen = new Map<string, Set<string>>()
    const barren = new Map<string, boolean>()
    for (const [attempt, isLet] of this.#let) {
      const lane = attempt.slice(0, attempt.indexOf('\n'))
      const known = seen.get(lane) ?? new Set<string>()
      const led = this.#led.get(attempt) ?? new Set<string>()
      const isNew = [...led].some((where) => !known.has(where))
      if (!this.#fruitful.has(attempt) && !isNew) barren.set(attempt, isLet)
      seen.set(lane, new Set([...known, ...led]))
    }
    return barren
  }
}

const none: ReadonlyMap<string, boolean> = new Map()

/** Whether nothing is used more of. */
export function isLess(left: readonly number[], right: readonly number[]): boolean {
  return left.every((used, index) => used <= (right[index] ?? 0))
}

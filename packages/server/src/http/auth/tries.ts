import type { Clock } from '../../base/clock.ts'
import type { SettingStore } from '../../store/store.ts'

/** A slip of the finger costs nothing. */
const freeTries = 3
const firstWaitMs = 1000
const longestWaitMs = 15 * 60_000
const maxSwaps = 20

interface Count {
  readonly tries: number
  /** No try before this time. */
  readonly until: number
}

/**
 * Wrong tries, counted for each login by itself and durably: whoever guesses with one login makes
 * that one wait, longer each time, and nobody else.
 */
export class Tries {
  readonly #settings: SettingStore
  readonly #clock: Clock

  constructor(settings: SettingStore, clock: Clock) {
    this.#settings = settings
    this.#clock = clock
  }

  /**
   * Counts a try before it is looked at: a hundred guesses at once must not be a hundred tries.
   * Gives the milliseconds to wait where it is too early for one, and else which try this is.
   */
  async begin(login: string): Promise<{ readonly waitMs: number } | { readonly tries: number }> {
    for (let swap = 0; swap < maxSwaps; swap++) {
      const kept = await this.#settings.get(keyOf(login))
      const { tries, until } = read(kept)
      const now = this.#clock.now()
      // A clock that was set back must not make anybody wait for years.
      const waitMs = Math.min(until - now, longestWaitMs)
      if (waitMs > 0) return { waitMs }
      const next = { tries: tries + 1, until: now + waitAfter(tries + 1) }
      if (await this.#settings.swap(keyOf(login), kept, JSON.stringify(next))) {
        return { tries: next.tries }
      }
    }
    return { waitMs: firstWaitMs }
  }

  async forget(login: string): Promise<void> {
    await this.#settings.set(keyOf(login), JSON.stringify({ tries: 0, until: 0 }))
  }
}

function waitAfter(tries: number): number {
  if (tries < freeTries) return 0
  // Doubling ends long before numbers do.
  return Math.min(firstWaitMs * 2 ** Math.min(tries - freeTries, 20), longestWaitMs)
}

function keyOf(login: string): string {
  return `auth.tries.${login}`
}

function read(kept: string | undefined): Count {
  return kept === undefined ? { tries: 0, until: 0 } : (JSON.parse(kept) as Count) // We wrote it.
}

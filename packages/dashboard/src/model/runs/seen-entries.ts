/** One message of the feed, as it is handed from tab to tab. */
export interface FeedMessage<Entry> {
  /** Its place in the feed, as the server named it. */
  readonly id: string
  readonly entry: Entry
}

export interface Numbered {
  readonly run_id: string
  readonly seq: number
}

const maxRuns = 20_000

/**
 * Remembers the newest entry of each run, so that one that comes twice counts once: after a lost
 * connection two tabs may both have asked for what came since.
 */
export class SeenEntries {
  // Not the bounded map of core: the first load of the page does without core.
  readonly #newest = new Map<string, number>()

  /** True the first time; the feed keeps the order within a run. */
  take({ run_id, seq }: Numbered): boolean {
    const newest = this.#newest.get(run_id) ?? 0
    if (seq <= newest) return false
    this.#newest.delete(run_id)
    this.#newest.set(run_id, seq)
    if (this.#newest.size > maxRuns) {
      const oldest = this.#newest.keys().next().value
      if (oldest !== undefined) this.#newest.delete(oldest)
    }
    return true
  }
}

/** Those who follow sessions: called back whenever one may have something new. */
export class Watchers {
  readonly #bySession = new Map<string, Set<() => void>>()

  get size(): number {
    let count = 0
    for (const watchers of this.#bySession.values()) count += watchers.size
    return count
  }

  sessions(): readonly string[] {
    return [...this.#bySession.keys()]
  }

  /** Gives back how to leave. */
  add(sessionId: string, wake: () => void): () => void {
    const watchers = this.#bySession.get(sessionId) ?? new Set()
    this.#bySession.set(sessionId, watchers)
    watchers.add(wake)
    return () => {
      watchers.delete(wake)
      // Others may have come since the last one left, and are in a set of their own.
      const isCurrent = this.#bySession.get(sessionId) === watchers
      if (isCurrent && watchers.size === 0) this.#bySession.delete(sessionId)
    }
  }

  wake(sessionId: string): void {
    for (const wake of this.#bySession.get(sessionId) ?? []) wake()
  }
}

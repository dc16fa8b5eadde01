/** Who wants to know of commits. They are told once for all commits of a turn of the loop. */
export class Wakers {
  readonly #wakes = new Set<() => void>()
  #isPlanned = false

  add(wake: () => void): () => Promise<void> {
    // One function may listen twice; each must be able to stop by itself.
    const own = () => wake()
    this.#wakes.add(own)
    return async () => {
      this.#wakes.delete(own)
    }
  }

  /** Not at once: a listener that throws must not make a commit look like a failure. */
  wakeSoon(): void {
    if (this.#isPlanned || this.#wakes.size === 0) return
    this.#isPlanned = true
    setImmediate(() => {
      this.#isPlanned = false
      for (const wake of this.#wakes) wake()
    })
  }

  clear(): void {
    this.#wakes.clear()
  }
}

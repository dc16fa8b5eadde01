/** Rung by commits; remembers a ring that came while nobody was waiting. */
export class Bell {
  #rung = false
  #wake: (() => void) | undefined

  ring(): void {
    this.#rung = true
    this.#wake?.()
  }

  reset(): void {
    this.#rung = false
  }

  /** True when it rang, false when the time went by or the wait was given up. */
  async rungWithin(ms: number, signal: AbortSignal): Promise<boolean> {
    if (this.#rung || signal.aborted) return this.#rung
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, ms)
      const wake = () => done()
      function done() {
        clearTimeout(timer)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      this.#wake = wake
      signal.addEventListener('abort', wake, { once: true })
    })
    this.#wake = undefined
    return this.#rung
  }
}

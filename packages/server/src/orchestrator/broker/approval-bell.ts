/** Lets tool calls wait for a person: rung when an approval of their run was answered. */
export class ApprovalBell {
  readonly #waiting = new Map<string, Set<() => void>>()

  ring(runId: string): void {
    for (const wake of this.#waiting.get(runId) ?? []) wake()
  }

  /** Resolves at the next ring for this run, or when the wait is given up. */
  rung(runId: string, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    if (signal.aborted) return Promise.resolve()
    const waiting = this.#waiting.get(runId) ?? new Set()
    this.#waiting.set(runId, waiting)
    const done = () => {
      waiting.delete(done)
      if (waiting.size === 0) this.#waiting.delete(runId)
      signal.removeEventListener('abort', done)
      resolve()
    }
    waiting.add(done)
    signal.addEventListener('abort', done, { once: true })
    return promise
  }
}

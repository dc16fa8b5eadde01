/**
 * One writer per run: what arrives for a run is done one after another, in the order it came.
 * Different runs do not wait for each other.
 */
export class RunQueue {
  readonly #tails = new Map<string, Promise<unknown>>()

  /** Does the work when everything before it for this run is done. */
  async inOrder<Value>(runId: string, work: () => Promise<Value>): Promise<Value> {
    const before = this.#tails.get(runId)
    const mine = before === undefined ? work() : before.then(work, work)
    this.#tails.set(runId, mine)
    try {
      return await mine
    } finally {
      if (this.#tails.get(runId) === mine) this.#tails.delete(runId)
    }
  }
}

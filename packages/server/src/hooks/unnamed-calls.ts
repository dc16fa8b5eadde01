import { BoundedMap } from '@statewright/core/internal'

const maxKinds = 5000
const maxAlike = 100

/**
 * Ids for the calls of a client that names none. What is asked twice gets two ids, and a result
 * belongs to the newest call that asked for the same: one that was turned away by a person never
 * gets a result, and must not catch that of a later one.
 */
export class UnnamedCalls {
  readonly #open = new BoundedMap<string, string[]>(maxKinds)
  #counter = 0

  /** A fresh id for a call; `digest` says who asks for what. */
  ask(digest: string, now: number): string {
    this.#counter += 1
    const callId = `${digest}-${now.toString(36)}-${this.#counter.toString(36)}`
    this.await(digest, callId)
    return callId
  }

  /** The result of a call will come under this digest: its own, or that of a rewritten input. */
  await(digest: string, callId: string): void {
    const ids = [...(this.#open.get(digest) ?? []), callId].slice(-maxAlike)
    this.#open.set(digest, ids)
  }

  /** A call that may not run has no result to come. */
  forget(digest: string, callId: string): void {
    const left = (this.#open.get(digest) ?? []).filter((id) => id !== callId)
    if (left.length === 0) this.#open.delete(digest)
    else this.#open.set(digest, left)
  }

  /** The id of the call that this is the result of; undefined when we never saw it asked for. */
  finish(digest: string): string | undefined {
    const callId = this.#open.get(digest)?.at(-1)
    if (callId !== undefined) this.forget(digest, callId)
    return callId
  }
}

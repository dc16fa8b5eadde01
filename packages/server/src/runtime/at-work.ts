import { BoundedMap } from '@statewright/core/internal'
import { isRunning } from '../base/process-start.ts'

const maxKnown = 10_000

/**
 * Client sessions and connections that are at work, by their keys, as far as we have seen since
 * the server started. A run that one of them works at is not taken up by another: it would be
 * without its guard from then on.
 */
export class AtWork {
  readonly #processes = new BoundedMap<string, string | undefined>(maxKnown)

  /** Seen at work; with its process, where the kernel shows it. */
  note(key: string, process?: string): void {
    this.#processes.set(key, process ?? this.#processes.get(key))
  }

  end(key: string): void {
    this.#processes.delete(key)
  }

  has(key: string): boolean {
    if (!this.#processes.has(key)) return false
    const process = this.#processes.get(key)
    if (process === undefined || isRunning(process)) return true
    // Killed: it could not say that it ended.
    this.#processes.delete(key)
    return false
  }
}

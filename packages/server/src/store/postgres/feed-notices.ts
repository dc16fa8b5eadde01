import { setTimeout as sleep } from 'node:timers/promises'
import type { Connections } from './connections.ts'
import { firstFunctions } from './functions.ts'

/** Whoever hears a notice reads what is new: under load that happens so often, and not oftener. */
const betweenMs = 25

/**
 * Tells all nodes that something was committed, after the commit and not within it: a notice holds
 * a lock of the whole database until its transaction is on the disk, so that no two decisions
 * could be written at once. The first is sent at once, and then one for all that is committed
 * within a moment. One that is lost costs a moment: whoever listens looks now and then by itself.
 */
export class FeedNotices {
  readonly #connections: Connections
  #sending: Promise<void> | undefined
  readonly #stop = new AbortController()
  #isDue = false

  constructor(connections: Connections) {
    this.#connections = connections
  }

  tell(): void {
    this.#isDue = true
    this.#sending ??= this.#send()
  }

  async close(): Promise<void> {
    this.#stop.abort()
    await this.#sending
  }

  async #send(): Promise<void> {
    while (this.#isDue) {
      this.#isDue = false
      // It changes nothing that would have to survive.
      const text = `SELECT set_config('synchronous_commit', 'off', true),
        pg_notify('statewright', '')`
      await this.#connections.query({ name: 'statewright_tell', text, values: [] }).catch(() => {})
      await sleep(betweenMs, undefined, { signal: this.#stop.signal }).catch(() => {})
    }
    this.#sending = undefined
  }
}

/** The functions of schema 14: the same as before, without the notice. */
export const quietFunctions: readonly string[] = firstFunctions
  .filter((text) => text.startsWith('CREATE FUNCTION statewright_write('))
  .map((text) =>
    text
      .replace('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION')
      .replace("    PERFORM pg_notify('statewright', left(p_run, 1000));\n", ''),
  )

import type { Connections } from './connections.ts'
import { firstFunctions } from './functions.ts'

/**
 * Tells all nodes that something was committed, after the commit and not within it: a notice holds
 * a lock of the whole database until its transaction is on the disk, so that no two decisions
 * could be written at once. It is sent once for all that is committed while another one is under
 * way. One that is lost costs a moment: whoever listens looks now and then by itself.
 */
export class FeedNotices {
  readonly #connections: Connections
  #sending: Promise<void> | undefined
  #isDue = false

  constructor(connections: Connections) {
    this.#connections = connections
  }

  tell(): void {
    this.#isDue = true
    this.#sending ??= this.#send()
  }

  async close(): Promise<void> {
    await this.#sending
  }

  async #send(): Promise<void> {
    while (this.#isDue) {
      this.#isDue = false
      // It changes nothing that would have to survive.
      const text = `SELECT set_config('synchronous_commit', 'off', true),
        pg_notify('statewright', '')`
      await this.#connections.query({ name: 'statewright_tell', text, values: [] }).catch(() => {})
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

import { isInVisit, type RunSnapshot } from '@statewright/core/internal'
import { actorOf, type Caller } from '../base/caller.ts'

/** A shell command that we started, or that is held by our own `exec`. */
export interface RunningCommand {
  readonly runId: string
  readonly caller: Caller
  readonly branch?: string | undefined
  /** The visit of the state in which it was let through. */
  readonly visit: number
  /** Ends it with everything it started. */
  end(): Promise<void> | void
}

/** Commands under way, so that none outlives the state it was allowed in (SH-16). */
export class RunningCommands {
  readonly #running = new Map<string, Set<RunningCommand>>()

  /** Call what it gives back when the command is over. */
  add(command: RunningCommand): () => void {
    const { runId } = command
    const known = this.#running.get(runId) ?? new Set()
    known.add(command)
    this.#running.set(runId, known)
    return () => {
      known.delete(command)
      if (known.size === 0) this.#running.delete(runId)
    }
  }

  /** Ends those whose caller stands in another state after a step; before it is committed. */
  async endLeft(runId: string, after: RunSnapshot): Promise<void> {
    const known = this.#running.get(runId)
    if (known === undefined) return
    for (const command of known) {
      const { caller, branch, visit } = command
      if (isInVisit(after, { by: actorOf(caller), branch, visit })) continue
      known.delete(command)
      await command.end()
    }
    if (known.size === 0) this.#running.delete(runId)
  }

  async close(): Promise<void> {
    const all = [...this.#running.values()].flatMap((known) => [...known])
    this.#running.clear()
    for (const command of all) await command.end()
  }
}

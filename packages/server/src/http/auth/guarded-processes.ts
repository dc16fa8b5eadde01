import type { ProcessRef } from '../../runtime/process-start.ts'

const mostProcesses = 1000

/** Processes of guarded coding clients. What descends from one is the agent, not the person. */
export class GuardedProcesses {
  readonly #starts = new Map<number, string>()

  add({ pid, startTime }: ProcessRef): void {
    this.#starts.delete(pid)
    this.#starts.set(pid, startTime)
    if (this.#starts.size <= mostProcesses) return
    const oldest = this.#starts.keys().next().value
    if (oldest !== undefined) this.#starts.delete(oldest)
  }

  has({ pid, startTime }: ProcessRef): boolean {
    return this.#starts.get(pid) === startTime
  }

  get isEmpty(): boolean {
    return this.#starts.size === 0
  }
}

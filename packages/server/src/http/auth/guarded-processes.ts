import { BoundedMap } from '@statewright/core/internal'
import type { ProcessRef } from '../../base/process-start.ts'

const maxProcesses = 1000

/** Processes of guarded coding clients. What descends from one is the agent, not the person. */
export class GuardedProcesses {
  readonly #starts = new BoundedMap<number, string>(maxProcesses)

  add({ pid, startTime }: ProcessRef): void {
    this.#starts.set(pid, startTime)
  }

  has({ pid, startTime }: ProcessRef): boolean {
    return this.#starts.get(pid) === startTime
  }

  get isEmpty(): boolean {
    return this.#starts.size === 0
  }
}

import { readFileSync } from 'node:fs'

/** A process by its number and when it started, since numbers are used again. */
export interface ProcessRef {
  readonly pid: number
  /** As the kernel counts it, in ticks since boot; from `processStart`. */
  readonly startTime: string
}

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

/** When a process started; undefined when there is none, or no /proc to look at. */
export function processStart(pid: number): string | undefined {
  return readStat(pid)?.startTime
}

/** Parent and start of a process, as /proc tells them. */
export function readStat(pid: number): { parent: number; startTime: string } | undefined {
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return undefined
  }
  // The name in brackets may hold anything, brackets and spaces included.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [, parent = '', startTime = ''] = [fields[0], fields[1], fields[19]]
  return startTime === '' ? undefined : { parent: Number(parent), startTime }
}

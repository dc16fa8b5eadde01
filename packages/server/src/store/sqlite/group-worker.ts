import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { Database } from './database.ts'
import { type SentFault, sendFault } from './faults.ts'
import {
  type CounterRules,
  needsCounterRules,
  perform,
  type Write,
  type WriteResult,
} from './writes.ts'

export interface WorkerStart {
  readonly path: string
  readonly reservationMs: number
  readonly maxPages: number | undefined
}

export interface SentWrite {
  readonly id: number
  readonly write: Write
}

/** Writes, or null to close. */
export type ToWorker = readonly SentWrite[] | null

export interface Result {
  readonly id: number
  readonly written?: WriteResult
  readonly fault?: SentFault
}

export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'failed_to_open'; readonly fault: SentFault }
  | {
      readonly type: 'results'
      readonly results: readonly Result[]
      /** How long they took together, the disk included. */
      readonly tookMs: number
    }

/** One transaction holds at most so many writes, so that no caller waits for a crowd. */
const groupSize = 256

type Port = NonNullable<typeof parentPort>

function serve(port: Port, { path, reservationMs, maxPages }: WorkerStart): void {
  const tell = (message: FromWorker) => port.postMessage(message)
  let db: Database
  try {
    db = new Database({ path, durability: 'power', maxPages })
  } catch (error) {
    tell({ type: 'failed_to_open', fault: sendFault(error) })
    return
  }
  const writer = new GroupWriter(port, db, reservationMs)
  port.on('message', (message: ToWorker) => writer.receive(message))
  tell({ type: 'ready' })
}

/** Writes what came in while the last group was on its way to the disk as the next group. */
class GroupWriter {
  readonly #port: Port
  readonly #db: Database
  readonly #reservationMs: number
  #waiting: SentWrite[] = []
  #isClosing = false
  #isWorking = false
  #rules: CounterRules | undefined

  constructor(port: Port, db: Database, reservationMs: number) {
    this.#port = port
    this.#db = db
    this.#reservationMs = reservationMs
  }

  receive(message: ToWorker): void {
    this.#take(message)
    if (!this.#isWorking) void this.#work()
  }

  #take(message: ToWorker): void {
    if (message === null) this.#isClosing = true
    else this.#waiting.push(...message)
  }

  async #work(): Promise<void> {
    this.#isWorking = true
    for (;;) {
      for (let more = receiveMessageOnPort(this.#port); more !== undefined; ) {
        this.#take(more.message)
        more = receiveMessageOnPort(this.#port)
      }
      if (this.#waiting.length === 0) break
      const group = this.#waiting.slice(0, groupSize)
      this.#waiting = this.#waiting.slice(groupSize)
      if (group.some(({ write }) => needsCounterRules(write))) await this.#loadRules()
      const sent: FromWorker = { type: 'results', ...timed(() => this.#commit(group)) }
      this.#port.postMessage(sent)
    }
    this.#isWorking = false
    if (this.#isClosing) this.close()
  }

  /** Loaded by the first who needs them: most of the time of a start would go into it. */
  async #loadRules(): Promise<void> {
    if (this.#rules !== undefined) return
    const { planCounters } = await import('../counters/plan.ts')
    this.#rules = { plan: planCounters, reservationMs: this.#reservationMs }
  }

  /** A group that fails is refused as a whole: none of it was written. */
  #commit(group: readonly SentWrite[]): readonly Result[] {
    try {
      return this.#db.transact(
        () =>
          group.map(({ id, write }) => ({ id, written: perform(this.#db, write, this.#rules) })),
        () => true,
      )
    } catch (error) {
      const fault = sendFault(error)
      return group.map(({ id }) => ({ id, fault }))
    }
  }

  close(): void {
    this.#db.close()
    process.exit()
  }
}

function timed(commit: () => readonly Result[]): { results: readonly Result[]; tookMs: number } {
  const started = performance.now()
  const results = commit()
  return { results, tookMs: performance.now() - started }
}

// The file is only ever loaded as a worker, by `group-committer.ts`.
if (parentPort !== null) serve(parentPort, workerData)

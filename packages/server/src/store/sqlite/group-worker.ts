import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { Database } from './database.ts'
import { type SentFault, sendFault } from './faults.ts'
import {
  type CounterRules,
  needsCounterRules,
  perform,
  type Write,
  type Written,
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
  readonly written?: Written
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
  let db: Database
  try {
    db = new Database({ path, durability: 'power', maxPages })
  } catch (error) {
    tell({ type: 'failed_to_open', fault: sendFault(error) })
    return
  }
  let waiting: SentWrite[] = []
  let isClosing = false
  let isWorking = false
  let rules: CounterRules | undefined

  port.on('message', (message: ToWorker) => {
    receive(message)
    if (!isWorking) void work()
  })
  tell({ type: 'ready' })

  function receive(message: ToWorker): void {
    if (message === null) isClosing = true
    else waiting.push(...message)
  }

  async function work(): Promise<void> {
    isWorking = true
    for (;;) {
      // What came in while the last group was on its way to the disk.
      for (let more = receiveMessageOnPort(port); more !== undefined; ) {
        receive(more.message)
        more = receiveMessageOnPort(port)
      }
      if (waiting.length === 0) break
      const group = waiting.slice(0, groupSize)
      waiting = waiting.slice(groupSize)
      if (rules === undefined && group.some(({ write }) => needsCounterRules(write))) {
        // Loaded by the first who needs them: most of the time of a start would go into it.
        const { planCounters } = await import('../counters/plan.ts')
        rules = { plan: planCounters, reservationMs }
      }
      tell({ type: 'results', ...timed(() => commitGroup(group)) })
    }
    isWorking = false
    if (!isClosing) return
    db.close()
    process.exit()
  }

  /** A group that fails is refused as a whole: none of it was written. */
  function commitGroup(group: readonly SentWrite[]): readonly Result[] {
    try {
      return db.transact(
        () => group.map(({ id, write }) => ({ id, written: perform(db, write, rules) })),
        () => true,
      )
    } catch (error) {
      const fault = sendFault(error)
      return group.map(({ id }) => ({ id, fault }))
    }
  }

  function tell(message: FromWorker): void {
    port.postMessage(message)
  }
}

function timed(commit: () => readonly Result[]): { results: readonly Result[]; tookMs: number } {
  const started = performance.now()
  const results = commit()
  return { results, tookMs: performance.now() - started }
}

// The file is only ever loaded as a worker, by `group-committer.ts`.
if (parentPort !== null) serve(parentPort, workerData)

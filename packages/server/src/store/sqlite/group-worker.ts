import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { Database } from './database.ts'
import { type SentFault, sendFault } from './faults.ts'
import { perform, type Write, type Written } from './writes.ts'

export interface WorkerStart {
  readonly path: string
  readonly reservationMs: number
  readonly maxPages: number | undefined
}

export interface ToWorker {
  readonly writes: readonly { readonly id: number; readonly write: Write }[]
  readonly close: boolean
}

export interface Result {
  readonly id: number
  readonly written?: Written
  readonly fault?: SentFault
}

export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'failed_to_open'; readonly fault: SentFault }
  | { readonly type: 'results'; readonly results: readonly Result[] }

/** One transaction holds at most so many writes, so that no caller waits for a crowd. */
const groupSize = 256

function serve(port: NonNullable<typeof parentPort>, start: WorkerStart): void {
  const { path, reservationMs, maxPages } = start
  let db: Database
  try {
    db = new Database({ path, durability: 'power', maxPages })
  } catch (error) {
    port.postMessage({ type: 'failed_to_open', fault: sendFault(error) } satisfies FromWorker)
    port.close()
    return
  }
  port.on('message', (first: ToWorker) => {
    const waiting = [...first.writes]
    let close = first.close
    for (;;) {
      // What came in while the last group was on its way to the disk.
      const more: { message: ToWorker } | undefined = receiveMessageOnPort(port)
      if (more === undefined) break
      waiting.push(...more.message.writes)
      close ||= more.message.close
    }
    while (waiting.length > 0) answer(commitGroup(waiting.splice(0, groupSize)))
    if (close) {
      db.close()
      port.close()
    }
  })
  answer(undefined)

  function answer(results: readonly Result[] | undefined): void {
    const message: FromWorker =
      results === undefined ? { type: 'ready' } : { type: 'results', results }
    port.postMessage(message)
  }

  /** A group that fails is refused as a whole: none of it was written. */
  function commitGroup(group: ToWorker['writes']): readonly Result[] {
    try {
      return db.transact(
        () => group.map(({ id, write }) => ({ id, written: perform(db, write, reservationMs) })),
        () => true,
      )
    } catch (error) {
      const fault = sendFault(error)
      return group.map(({ id }) => ({ id, fault }))
    }
  }
}

// The file is only ever loaded as a worker, by `group-committer.ts`.
if (parentPort !== null) serve(parentPort, workerData)

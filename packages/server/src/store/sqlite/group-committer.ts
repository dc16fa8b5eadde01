import { Worker } from 'node:worker_threads'
import { StoreFault } from '../store.ts'
import type { Committer } from './committer.ts'
import { receiveFault } from './faults.ts'
import type { FromWorker, SentWrite, ToWorker, WorkerStart } from './group-worker.ts'
import type { Write, Written } from './writes.ts'

interface Waiter {
  readonly resolve: (written: Written) => void
  readonly reject: (error: Error) => void
}

/** A disk this quick is not worth waiting for together: both threads work at the same time instead. */
const quickMs = 3
const quickGroup = 8

/**
 * Commits on another thread, which takes all that waits as one transaction: waiting for the disk
 * once for many, and never holding up the thread that answers (`durability: power`).
 */
export async function groupCommitter(start: WorkerStart): Promise<Committer> {
  const worker = new Worker(new URL('./group-worker.ts', import.meta.url), { workerData: start })
  const waiters = new Map<number, Waiter>()
  let unsent: SentWrite[] = []
  let lastId = 0
  let lastTookMs = Number.POSITIVE_INFINITY
  let broken: Error | undefined
  let closing = false
  const ready = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()

  worker.on('message', (message: FromWorker) => {
    if (message.type === 'ready') ready.resolve()
    else if (message.type === 'failed_to_open') ready.reject(receiveFault(message.fault))
    else {
      lastTookMs = message.tookMs
      for (const { id, written, fault } of message.results) {
        const waiter = waiters.get(id)
        waiters.delete(id)
        if (written !== undefined) waiter?.resolve(written)
        else if (fault !== undefined) waiter?.reject(receiveFault(fault))
      }
    }
  })
  worker.on('error', (error) => breakDown(error))
  worker.on('exit', () => {
    if (!closing) breakDown(undefined)
    ended.resolve()
  })
  try {
    await ready.promise
  } catch (error) {
    await worker.terminate()
    throw error
  }

  return {
    submit(write: Write): Promise<Written> {
      if (broken !== undefined) return Promise.reject(broken)
      const id = ++lastId
      const { promise, resolve, reject } = Promise.withResolvers<Written>()
      waiters.set(id, { resolve, reject })
      // Callers that were answered together ask again together: they go over as one message.
      if (unsent.length === 0) process.nextTick(send)
      unsent.push({ id, write })
      if (lastTookMs < quickMs && unsent.length >= quickGroup) send()
      return promise
    },

    async close(): Promise<void> {
      closing = true
      send()
      worker.postMessage(null satisfies ToWorker)
      await ended.promise
      breakDown(undefined)
    },
  }

  function send(): void {
    if (unsent.length === 0) return
    const writes = unsent
    unsent = []
    worker.postMessage(writes satisfies ToWorker)
  }

  /** Whether the last group was written nobody can say any more: all its waiters are refused. */
  function breakDown(cause: unknown): void {
    broken ??= new StoreFault('unavailable', 'The thread that writes the database has ended.', {
      where: start.path,
      next: 'Restart the server.',
      cause,
    })
    ready.reject(broken)
    for (const waiter of waiters.values()) waiter.reject(broken)
    waiters.clear()
  }
}

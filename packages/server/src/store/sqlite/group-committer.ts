import { Worker } from 'node:worker_threads'
import { StoreFault } from '../store.ts'
import type { Committer } from './committer.ts'
import { receiveFault } from './faults.ts'
import type { FromWorker, SentWrite, ToWorker, WorkerStart } from './group-worker.ts'
import type { Write, WriteResult } from './writes.ts'

interface Waiter {
  readonly resolve: (written: WriteResult) => void
  readonly reject: (error: Error) => void
}

/** On a disk this quick both threads work at once, instead of all callers waiting together. */
const quickMs = 3
const quickGroup = 8

/**
 * Commits on another thread, which takes all that waits as one transaction: waiting for the disk
 * once for many, and never holding up the thread that answers (`durability: power`).
 */
export async function groupCommitter(start: WorkerStart): Promise<Committer> {
  const committer = new GroupCommitter(start)
  await committer.ready()
  return committer
}

class GroupCommitter implements Committer {
  readonly #path: string
  readonly #worker: Worker
  readonly #ready = Promise.withResolvers<void>()
  readonly #ended = Promise.withResolvers<void>()
  readonly #waiters = new Map<number, Waiter>()
  #unsent: SentWrite[] = []
  #lastId = 0
  #lastTookMs = Number.POSITIVE_INFINITY
  #broken: Error | undefined
  #isClosing = false

  constructor(start: WorkerStart) {
    this.#path = start.path
    this.#worker = new Worker(new URL('./group-worker.ts', import.meta.url), { workerData: start })
    this.#worker.on('message', (message: FromWorker) => this.#receive(message))
    this.#worker.on('error', (error) => this.#breakDown(error))
    this.#worker.on('exit', () => {
      if (!this.#isClosing) this.#breakDown(undefined)
      this.#ended.resolve()
    })
  }

  async ready(): Promise<void> {
    try {
      await this.#ready.promise
    } catch (error) {
      await this.#worker.terminate()
      throw error
    }
  }

  submit(write: Write): Promise<WriteResult> {
    if (this.#broken !== undefined) return Promise.reject(this.#broken)
    const id = ++this.#lastId
    const { promise, resolve, reject } = Promise.withResolvers<WriteResult>()
    this.#waiters.set(id, { resolve, reject })
    // Callers that were answered together ask again together: they go over as one message.
    if (this.#unsent.length === 0) process.nextTick(() => this.#send())
    this.#unsent.push({ id, write })
    if (this.#lastTookMs < quickMs && this.#unsent.length >= quickGroup) this.#send()
    return promise
  }

  /** Nothing is acknowledged before it is committed. */
  async settle(): Promise<void> {}

  async close(): Promise<void> {
    this.#isClosing = true
    this.#send()
    this.#worker.postMessage(null satisfies ToWorker)
    await this.#ended.promise
    this.#breakDown(undefined)
  }

  #send(): void {
    if (this.#unsent.length === 0) return
    const writes = this.#unsent
    this.#unsent = []
    this.#worker.postMessage(writes satisfies ToWorker)
  }

  #receive(message: FromWorker): void {
    if (message.type === 'ready') this.#ready.resolve()
    else if (message.type === 'failed_to_open') this.#ready.reject(receiveFault(message.fault))
    else this.#answer(message)
  }

  #answer({ results, tookMs }: Extract<FromWorker, { readonly type: 'results' }>): void {
    this.#lastTookMs = tookMs
    for (const { id, written, fault } of results) {
      const waiter = this.#waiters.get(id)
      this.#waiters.delete(id)
      if (written !== undefined) waiter?.resolve(written)
      else if (fault !== undefined) waiter?.reject(receiveFault(fault))
    }
  }

  /** Whether the last group was written nobody can say any more: all its waiters are refused. */
  #breakDown(cause: unknown): void {
    this.#broken ??= new StoreFault(
      'unavailable',
      'The thread that writes the database has ended.',
      {
        where: this.#path,
        next: 'Restart the server.',
        cause,
      },
    )
    this.#ready.reject(this.#broken)
    for (const waiter of this.#waiters.values()) waiter.reject(this.#broken)
    this.#waiters.clear()
  }
}

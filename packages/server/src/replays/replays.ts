import { Worker } from 'node:worker_threads'
import { BoundedMap, err, ok, type ReplayReport, type Result } from '@statewright/core/internal'
import type { Clock } from '../base/clock.ts'
import { problem, type RuntimeProblem } from '../base/problem.ts'
import type {
  ReplayMessage,
  ReplayProgress,
  ReplayRequest,
  ReplaySource,
  ReplayWork,
} from './request.ts'

/** A replay that was asked for, as far as it has come. */
export interface ReplayJob {
  readonly id: string
  readonly startedAt: number
  readonly status: 'running' | 'done' | 'failed' | 'cancelled'
  readonly progress: ReplayProgress
  readonly report?: ReplayReport
  readonly problem?: RuntimeProblem
}

/** Finished ones that can still be asked for. */
const remembered = 20
const maxMemoryMb = 400

/** Replays run one at a time, in a thread beside the server, and are forgotten with it. */
export class Replays {
  readonly #source: ReplaySource | undefined
  readonly #clock: Clock
  readonly #jobs = new BoundedMap<string, ReplayJob>(remembered)
  #running: { readonly id: string; readonly worker: Worker } | undefined

  constructor(source: ReplaySource | undefined, clock: Clock, stopping: AbortSignal) {
    this.#source = source
    this.#clock = clock
    stopping.addEventListener('abort', () => void this.#stop())
  }

  start(request: ReplayRequest): Result<ReplayJob, RuntimeProblem> {
    if (this.#running !== undefined) {
      const next = 'wait until it is done, or stop it.'
      return err(problem('too_many_requests', 'Another replay is running.', { next }))
    }
    const source = this.#source
    if (source === undefined) {
      const next = 'start it with "statewright up".'
      return err(problem('internal', 'This server cannot replay runs.', { next }))
    }
    const work: ReplayWork = { source, request }
    const worker = new Worker(new URL('./replay-worker.ts', import.meta.url), {
      workerData: work,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
    })
    const id = this.#clock.newId('rpl')
    this.#running = { id, worker }
    worker.on('message', (message: ReplayMessage) => this.#hear(id, message))
    worker.on('error', (fault) => this.#end(id, { status: 'failed', problem: broken(fault) }))
    worker.on('exit', () => this.#end(id, { status: 'failed', problem: broken(undefined) }))
    const startedAt = this.#clock.now()
    const job: ReplayJob = { id, startedAt, status: 'running', progress: { entries: 0, of: 0 } }
    this.#jobs.set(id, job)
    return ok(job)
  }

  get(id: string): ReplayJob | undefined {
    return this.#jobs.get(id)
  }

  async cancel(id: string): Promise<ReplayJob | undefined> {
    const worker = this.#running?.id === id ? this.#running.worker : undefined
    this.#end(id, { status: 'cancelled' })
    await worker?.terminate()
    return this.#jobs.get(id)
  }

  async #stop(): Promise<void> {
    if (this.#running !== undefined) await this.cancel(this.#running.id)
  }

  #hear(id: string, message: ReplayMessage): void {
    if (message.type === 'done') {
      this.#end(id, { status: 'done', report: message.report })
      return
    }
    const job = this.#jobs.get(id)
    if (job?.status === 'running') this.#jobs.set(id, { ...job, progress: message.progress })
  }

  /** Only the first end counts: a thread that is done exits as well. */
  #end(id: string, end: Pick<ReplayJob, 'status' | 'report' | 'problem'>): void {
    if (this.#running?.id === id) this.#running = undefined
    const job = this.#jobs.get(id)
    if (job?.status === 'running') this.#jobs.set(id, { ...job, ...end })
  }
}

function broken(fault: unknown): RuntimeProblem {
  const isFull =
    fault instanceof Error && 'code' in fault && fault.code === 'ERR_WORKER_OUT_OF_MEMORY'
  if (isFull) {
    const next = 'choose fewer runs: a shorter time, or one workflow.'
    return problem('internal', 'The replay needs more memory than is allowed.', { next })
  }
  return problem('internal', 'The replay stopped before it was done.', {
    next: 'see the log of the server, and try again.',
  })
}

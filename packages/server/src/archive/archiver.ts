import { join } from 'node:path'
import type { Runtime } from '../runtime/runtime.ts'
import { type ArchiveOptions, archiveRun, clearArchived } from './archive-run.ts'

const everyMs = 60_000
/** Not with the start itself, which has enough to do. */
const firstMs = 3000
/** A node that took the work and says nothing for so long has died. */
const leaseMs = 10 * 60_000
const pageSize = 20
const leaseKey = 'archive.lease'

export interface ArchiverOptions extends ArchiveOptions {
  readonly onArchived: (count: number) => void
  readonly onBroken: (runId: string, problem: string) => void
  readonly onFault: (fault: unknown) => void
}

/** Where a server writes its archive. */
export function archiveFolder(data: string): string {
  return join(data, 'archive')
}

/** Moves runs that ended long ago into the archive, where the configuration says so (AR-1). */
export class Archiver {
  readonly #runtime: Runtime
  readonly #options: ArchiverOptions
  readonly #timers: readonly NodeJS.Timeout[]
  /** Told of once each, so that the log does not fill. */
  readonly #broken = new Set<string>()
  #working: Promise<void> | undefined
  #isClosing = false

  constructor(runtime: Runtime, options: ArchiverOptions) {
    this.#runtime = runtime
    this.#options = options
    const tick = () => this.#tick()
    this.#timers = [setTimeout(tick, firstMs), setInterval(tick, everyMs)]
    for (const timer of this.#timers) timer.unref()
  }

  async close(): Promise<void> {
    this.#isClosing = true
    for (const timer of this.#timers) clearInterval(timer)
    await this.#working
  }

  #tick(): void {
    if (this.#working !== undefined) return
    this.#working = this.pass()
      .then((count) => {
        if (count > 0) this.#options.onArchived(count)
      })
      .catch(this.#options.onFault)
      .finally(() => {
        this.#working = undefined
      })
  }

  /** Archives all that is due, and says how many runs. */
  async pass(): Promise<number> {
    const { settings, clock, store } = this.#runtime
    for (const half of await store.archive.unfinished(pageSize)) {
      await clearArchived(this.#runtime, half)
    }
    if (settings.keepMs === null) return 0
    const before = clock.now() - settings.keepMs
    let [count, after]: [number, Page['after']] = [0, undefined]
    for (;;) {
      const page: Page = { before, after, limit: pageSize }
      const due = await store.archive.ended(page)
      if (due.length === 0 || this.#isClosing || !(await this.#hasLease())) return count
      for (const { row, cursor } of due) {
        after = cursor
        if (this.#isClosing) return count
        const done = await archiveRun(this.#runtime, row, this.#options)
        if (done.kind === 'archived') count += 1
        if (done.kind === 'broken') this.#tellBroken(row.runId, done.problem)
      }
    }
  }

  /** One node at a time: two would only do the same work twice, and do no harm. */
  async #hasLease(): Promise<boolean> {
    const { store, clock } = this.#runtime
    const { node } = this.#options
    const held = await store.settings.get(leaseKey)
    const [holder, until = '0'] = held?.split(' ') ?? []
    if (holder !== undefined && holder !== node && Number(until) > clock.now()) return false
    return store.settings.swap(leaseKey, held, `${node} ${clock.now() + leaseMs}`)
  }

  #tellBroken(runId: string, problem: string): void {
    if (this.#broken.has(runId)) return
    this.#broken.add(runId)
    this.#options.onBroken(runId, problem)
  }
}

type Page = Parameters<Runtime['store']['archive']['ended']>[0]

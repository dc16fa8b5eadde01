import type { Entry, RecordedStep } from '@statewright/core/internal'
import type { RunStore } from '../store/store.ts'
import type { ChosenRun } from './chosen-runs.ts'

/** A recorded step and the number of its first entry. */
export interface NumberedStep {
  readonly seq: number
  readonly step: RecordedStep
}

type EntryBody = Awaited<ReturnType<RunStore['entryBodies']>>[number]

/** Reads the steps of one run, a page at a time. */
export class RunCursor {
  readonly run: ChosenRun
  readonly #store: Pick<RunStore, 'entryBodies'>
  readonly #pageSize: () => number
  #page: readonly EntryBody[] = []
  #at = 0
  #after = 0
  #isRead = false
  #next: NumberedStep | undefined

  constructor(run: ChosenRun, store: Pick<RunStore, 'entryBodies'>, pageSize: () => number) {
    this.run = run
    this.#store = store
    this.#pageSize = pageSize
  }

  /** The step that `advance` found; undefined at the end. */
  get next(): NumberedStep | undefined {
    return this.#next
  }

  async advance(): Promise<void> {
    const first = await this.#entry()
    if (first === undefined) {
      this.#next = undefined
      return
    }
    this.#at += 1
    const step: [Entry, ...Entry[]] = [first.entry]
    for (;;) {
      const more = await this.#entry()
      // The first entry of a step carries the event that caused it.
      if (more === undefined || more.entry.cause !== undefined) break
      step.push(more.entry)
      this.#at += 1
    }
    this.#next = { seq: first.seq, step }
  }

  async #entry(): Promise<EntryBody | undefined> {
    if (this.#at < this.#page.length) return this.#page[this.#at]
    if (this.#isRead) return undefined
    const limit = this.#pageSize()
    this.#page = await this.#store.entryBodies(this.run.runId, { after: this.#after, limit })
    this.#at = 0
    this.#after = this.#page.at(-1)?.seq ?? this.#after
    this.#isRead = this.#page.length < limit
    return this.#page[0]
  }
}

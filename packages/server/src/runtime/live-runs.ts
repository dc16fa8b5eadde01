import {
  BoundedMap,
  chainStart,
  engine,
  engineOf,
  type Program,
  type RunSnapshot,
  takeUp,
} from '@statewright/core/internal'
import type { LoadedRun, RunRow, Store } from '../store/store.ts'
import type { Programs } from './programs.ts'

/** A run as it stands in memory: what the store holds, ready for the next event. */
export interface LiveRun {
  readonly row: RunRow
  readonly program: Program
  readonly snapshot: RunSnapshot
  /** Entries since the stored snapshot; a snapshot is written when there are many. */
  readonly sinceSnapshot: number
  /** Of a run that an older engine left: entries that this one would have answered otherwise. */
  readonly differs?: readonly number[]
}

const maxLive = 20_000

/** Hot runs. Anything here may be dropped at any time: the store has it all. */
export class LiveRuns {
  readonly #store: Store
  readonly #programs: Programs
  readonly #live = new BoundedMap<string, LiveRun>(maxLive)
  /** Told of a run that was read from the store, as it stood there. */
  readonly #onRevived: (live: LiveRun) => void

  constructor(store: Store, programs: Programs, onRevived: (live: LiveRun) => void = () => {}) {
    this.#store = store
    this.#programs = programs
    this.#onRevived = onRevived
  }

  async get(runId: string): Promise<LiveRun | undefined> {
    const known = this.#live.get(runId)
    if (known !== undefined) return known
    const loaded = await this.#store.runs.load(runId)
    if (loaded === undefined) return undefined
    const live = await this.#revive(loaded)
    this.put(live)
    this.#onRevived(live)
    return live
  }

  put(live: LiveRun): void {
    this.#live.set(live.row.runId, live)
  }

  /** Forgets a run that another node has moved on. */
  drop(runId: string): void {
    this.#live.delete(runId)
  }

  has(runId: string): boolean {
    return this.#live.has(runId)
  }

  get size(): number {
    return this.#live.size
  }

  /** Plays the entries after the stored snapshot: replay equals snapshot (invariant 3). */
  async #revive(loaded: LoadedRun): Promise<LiveRun> {
    const { row, after } = loaded
    const program = await this.#programs.byHash(row.hash)
    const entries = after.map(({ entry }) => entry)
    const taken = takeUp(program, loaded.snapshot ?? null, entries)
    if (taken === null) throw new Error(`the history of run ${row.runId} cannot be played`)
    const { run: snapshot } = taken
    // Its rules may be others than ours: no answer means no (invariant 1).
    if (engineOf(snapshot) > engine) throw new Error(`run ${row.runId} needs a newer Statewright`)
    const differs = taken.differs.map((index) => after[index]?.seq ?? row.seq)
    const live = { row, program, snapshot, sinceSnapshot: after.length }
    return differs.length === 0 ? live : { ...live, differs }
  }
}

/** Where the chain of a run that has no entries yet begins. */
export function emptyChain(runId: string): { seq: number; hash: string } {
  return { seq: 0, hash: chainStart(runId) }
}

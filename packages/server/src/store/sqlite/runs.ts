import type { Selectable } from 'kysely'
import { encodeBatch } from '../encode.ts'
import type { RunLists } from '../queries/run-lists.ts'
import {
  type EntryBody,
  type EntryColumns,
  type MovedColumns,
  type RunColumns,
  toEntry,
  toEntryBody,
  toLoadedRun,
  toMovedRuns,
} from '../rows.ts'
import type { Committed, FeedStore, RunStore } from '../store.ts'
import type { Committer } from './committer.ts'
import type { Database } from './database.ts'
import { feedPosition, rowOf } from './feed-position.ts'
import type { Wakers } from './wakers.ts'
import type { Write } from './writes.ts'

interface EntryRow extends Omit<EntryColumns, 'feed_at'> {
  readonly place: number
}

const entryColumns =
  'place, run_id, seq, hash, entry, ' +
  'coalesce((SELECT hash FROM entries AS before WHERE before.run_id = entries.run_id ' +
  'AND before.seq = entries.seq - 1), (SELECT chain FROM archived_runs AS archived ' +
  'WHERE archived.run_id = entries.run_id AND archived.seq = entries.seq - 1)) AS prev'

export interface RunStoreOptions {
  readonly reader: Database
  readonly committer: Committer
  readonly lists: RunLists
  readonly wakers: Wakers
}

/** Reads happen in thread: they take microseconds, a hop to another thread takes longer. */
export function sqliteRuns({ reader, committer, lists, wakers }: RunStoreOptions): RunStore {
  return {
    ...lists,
    create: (run, batch) => commit({ type: 'create', run, batch: encodeBatch(batch) }),
    append: (runId, batch) => commit({ type: 'append', runId, batch: encodeBatch(batch) }),

    async load(runId) {
      return reader.readTogether(() => {
        const row = reader.get<Selectable<RunColumns>>('SELECT * FROM runs WHERE run_id = ?', runId)
        if (row === undefined) return undefined
        const snapshot = reader.get<{ seq: number; body: string }>(
          'SELECT seq, body FROM snapshots WHERE run_id = ?',
          runId,
        )
        const after = reader.all<EntryRow>(
          `SELECT ${entryColumns} FROM entries WHERE run_id = ? AND seq > ? ORDER BY seq`,
          runId,
          snapshot?.seq ?? 0,
        )
        return toLoadedRun(row, snapshot, after.map(withPosition))
      })
    },

    entryBodies: entryBodies(reader),

    async entries(runId, { after, limit }) {
      const rows = reader.all<EntryRow>(
        `SELECT ${entryColumns} FROM entries WHERE run_id = ? AND seq > ? ORDER BY seq LIMIT ?`,
        runId,
        after,
        limit,
      )
      return rows.map((row) => toEntry(withPosition(row)))
    },

    async entryOfCall(runId, callId) {
      const row = reader.get<EntryRow>(
        `SELECT ${entryColumns} FROM entries WHERE run_id = ? AND call_id = ?
          ORDER BY seq DESC LIMIT 1`,
        runId,
        callId,
      )
      return row && toEntry(withPosition(row))
    },
  }

  async function commit(write: Write): Promise<Committed> {
    const written = await committer.submit(write)
    if (written.type !== 'batch') throw new Error('bug: a batch was answered as a statement')
    if (written.committed.kind === 'committed') wakers.wakeSoon()
    return written.committed
  }
}

/** One writer commits after the other, so row numbers are the order of commits. */
export function sqliteFeed(reader: Database, wakers: Wakers): FeedStore {
  return {
    async head() {
      const row = reader.get<{ place: number | null }>('SELECT max(place) AS place FROM entries')
      return feedPosition(row?.place ?? 0)
    },

    async after(place, limit) {
      const rows = reader.all<EntryRow>(
        `SELECT ${entryColumns} FROM entries WHERE place > ? ORDER BY place LIMIT ?`,
        rowOf(place),
        limit,
      )
      return rows.map((row) => toEntry(withPosition(row)))
    },

    async moved(place, limit) {
      const rows = reader.all<MovedColumns & { readonly read_to: number }>(
        `SELECT run_id, min(seq) AS first_seq, max(seq) AS last_seq, count(*) AS entries,
            max(place) AS read_to
          FROM (SELECT run_id, seq, place FROM entries WHERE place > ? ORDER BY place LIMIT ?)
          GROUP BY run_id`,
        rowOf(place),
        limit,
      )
      const readTo = rows.reduce((last, row) => Math.max(last, row.read_to), 0)
      return toMovedRuns(rows, limit, readTo === 0 ? place : feedPosition(readTo))
    },

    listen: async (wake) => wakers.add(wake),
  }
}

function withPosition({ place, ...row }: EntryRow): EntryColumns {
  return { ...row, feed_at: feedPosition(place) }
}

/** Entries without what proves them, for anyone who reads very many. */
function entryBodies(reader: Database): RunStore['entryBodies'] {
  return async (runId, { after, limit }) => {
    const rows = reader.all<EntryBody>(
      'SELECT seq, entry FROM entries WHERE run_id = ? AND seq > ? ORDER BY seq LIMIT ?',
      runId,
      after,
      limit,
    )
    return rows.map(toEntryBody)
  }
}

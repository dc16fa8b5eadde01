import type { Selectable } from 'kysely'
import { encodeBatch } from '../encode.ts'
import type { RunLists } from '../queries/run-lists.ts'
import {
  type EntryBody,
  type EntryColumns,
  type RunColumns,
  toEntry,
  toEntryBody,
  toLoadedRun,
} from '../rows.ts'
import type { Committed, RunStore } from '../store.ts'
import type { Connections } from './connections.ts'
import type { FeedNotices } from './feed-notices.ts'
import { type BatchWrite, canShare, type WriteOptions, writeBatch } from './write-batch.ts'
import type { WriteGroups } from './write-groups.ts'

export const entryColumns =
  'run_id, seq, hash, entry, statewright_place(xid, place) AS feed_at, ' +
  'coalesce((SELECT hash FROM entries AS before WHERE before.run_id = entries.run_id ' +
  'AND before.seq = entries.seq - 1), (SELECT chain FROM archived_runs AS archived ' +
  'WHERE archived.run_id = entries.run_id AND archived.seq = entries.seq - 1)) AS prev'

type RunOptions = WriteOptions & {
  readonly groups: WriteGroups
  readonly notices: FeedNotices
}

export function postgresRuns(
  connections: Connections,
  lists: RunLists,
  options: RunOptions,
): RunStore {
  const write = writer(connections, options)
  return {
    ...lists,
    create(run, batch) {
      return write({ runId: run.runId, run, batch: encodeBatch(batch) })
    },
    append(runId, batch) {
      return write({ runId, run: null, batch: encodeBatch(batch) })
    },

    async load(runId) {
      const found = await connections.query<LoadedColumns>({
        name: 'statewright_load',
        text: `SELECT runs.*, snapshots.seq AS snapshot_seq, snapshots.body AS snapshot_body
          FROM runs LEFT JOIN snapshots USING (run_id) WHERE run_id = $1`,
        values: [runId],
      })
      if (found.rows[0] === undefined) return undefined
      const { snapshot_seq: seq, snapshot_body: body, ...row } = found.rows[0]
      // Not beyond the row: what was committed between the two reads belongs to the next load.
      const after = await connections.query<EntryColumns>({
        name: 'statewright_load_after',
        text: `SELECT ${entryColumns} FROM entries
          WHERE run_id = $1 AND seq > $2 AND seq <= $3 ORDER BY seq`,
        values: [runId, seq ?? 0, row.seq],
      })
      const snapshot = seq === null || body === null ? undefined : { seq, body }
      return toLoadedRun(row, snapshot, after.rows)
    },

    entryBodies: entryBodies(connections),

    async entries(runId, { after, limit }) {
      const { rows } = await connections.query<EntryColumns>({
        name: 'statewright_entries',
        text: `SELECT ${entryColumns} FROM entries WHERE run_id = $1 AND seq > $2
          ORDER BY seq LIMIT $3`,
        values: [runId, after, limit],
      })
      return rows.map(toEntry)
    },

    async entryOfCall(runId, callId) {
      const { rows } = await connections.query<EntryColumns>({
        name: 'statewright_entry_of_call',
        text: `SELECT ${entryColumns} FROM entries WHERE run_id = $1 AND call_id = $2
          ORDER BY seq DESC LIMIT 1`,
        values: [runId, callId],
      })
      return rows[0] && toEntry(rows[0])
    },
  }
}

function writer(connections: Connections, options: RunOptions) {
  return async (batch: BatchWrite): Promise<Committed> => {
    const committed = canShare(batch)
      ? await options.groups.submit(batch)
      : await writeBatch(connections, batch, options)
    if (committed.kind === 'committed') options.notices.tell()
    return committed
  }
}

interface LoadedColumns extends Selectable<RunColumns> {
  readonly snapshot_seq: number | null
  readonly snapshot_body: string | null
}

/** Entries without what proves them, for anyone who reads very many. */
function entryBodies(connections: Connections): RunStore['entryBodies'] {
  return async (runId, { after, limit }) => {
    const { rows } = await connections.query<EntryBody>({
      name: 'statewright_entry_bodies',
      text: 'SELECT seq, entry FROM entries WHERE run_id = $1 AND seq > $2 ORDER BY seq LIMIT $3',
      values: [runId, after, limit],
    })
    return rows.map(toEntryBody)
  }
}

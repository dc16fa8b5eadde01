import { type EntryColumns, type MovedColumns, toEntry, toMovedRuns } from '../rows.ts'
import type { FeedStore } from '../store.ts'
import type { Connections } from './connections.ts'
import { FeedListener } from './feed-listener.ts'
import { entryColumns } from './runs.ts'

export interface PostgresFeed extends FeedStore {
  close(): Promise<void>
}

const isBehind = `(xid, place) > ($1::text::xid8, $2::bigint)
  AND xid < pg_snapshot_xmin(pg_current_snapshot())`

/**
 * Entries ordered by the transaction that wrote them. Only those are shown before which no
 * transaction is still open: one that began earlier and commits later would otherwise appear
 * behind a reader who has already passed its place.
 */
export function postgresFeed(connections: Connections): PostgresFeed {
  const listener = new FeedListener(connections)
  return {
    async head() {
      const { rows } = await connections.query<{ head: string }>({
        name: 'statewright_head',
        text: `SELECT statewright_place(pg_snapshot_xmin(pg_current_snapshot()), 0) AS head`,
        values: [],
      })
      return rows[0]?.head ?? ''
    },

    async after(position, limit) {
      const { rows } = await connections.query<EntryColumns>({
        name: 'statewright_feed',
        text: `SELECT ${entryColumns} FROM entries
          WHERE ${isBehind} ORDER BY xid, place LIMIT $3`,
        values: [...positionOf(position), limit],
      })
      return rows.map(toEntry)
    },

    async moved(position, limit) {
      const { rows } = await connections.query<MovedColumns & { readonly read_to: string }>({
        name: 'statewright_moved',
        text: `WITH page AS MATERIALIZED (
            SELECT run_id, seq, xid, place FROM entries
            WHERE ${isBehind} ORDER BY xid, place LIMIT $3
          )
          SELECT run_id, min(seq) AS first_seq, max(seq) AS last_seq, count(*) AS entries,
            (SELECT statewright_place(xid, place) FROM page
              ORDER BY xid DESC, place DESC LIMIT 1) AS read_to
          FROM page GROUP BY run_id`,
        values: [...positionOf(position), limit],
      })
      return toMovedRuns(rows, limit, rows[0]?.read_to ?? position)
    },

    listen: (wake) => listener.add(wake),
    close: () => listener.close(),
  }
}

function positionOf(position: string): readonly [xid: string, place: string] {
  const [, xid = '0', place = '0'] = /^(\d{1,20})-(\d{1,19})$/.exec(position) ?? []
  // Postgres would read the padded number as an octal one.
  return [BigInt(xid).toString(), place]
}

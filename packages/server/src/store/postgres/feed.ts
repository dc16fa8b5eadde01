import { type EntryColumns, toEntry } from '../rows.ts'
import type { FeedStore } from '../store.ts'
import type { Connections } from './connections.ts'
import { FeedListener } from './feed-listener.ts'
import { entryColumns } from './runs.ts'

export interface PostgresFeed extends FeedStore {
  close(): Promise<void>
}

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
      const [, xid = '0', row = '0'] = /^(\d{1,20})-(\d{1,19})$/.exec(position) ?? []
      const { rows } = await connections.query<EntryColumns>({
        name: 'statewright_feed',
        text: `SELECT ${entryColumns} FROM entries
          WHERE (xid, place) > ($1::text::xid8, $2::bigint)
            AND xid < pg_snapshot_xmin(pg_current_snapshot())
          ORDER BY xid, place LIMIT $3`,
        // Postgres would read the padded number as an octal one.
        values: [BigInt(xid).toString(), row, limit],
      })
      return rows.map(toEntry)
    },

    listen: (wake) => listener.add(wake),
    close: () => listener.close(),
  }
}

import { toRunRow } from '../rows.ts'
import type { Blob, RunFilter, RunPage, RunRow, RunStore } from '../store.ts'
import type { TypedQueries } from './typed-queries.ts'

export type RunLists = Pick<
  RunStore,
  'list' | 'blobsOfCall' | 'newestOfSession' | 'newestPaused' | 'moveToSession'
>

/** Lists of runs, newest first, in the order in which they were created. */
export function runLists(db: TypedQueries): RunLists {
  return {
    async list(filter: RunFilter): Promise<RunPage> {
      const { status, workflow, project, owner, session, limit, cursor } = filter
      if (status?.length === 0) return { runs: [], next: null }
      let query = db.selectFrom('runs').selectAll()
      if (status !== undefined) query = query.where('status', 'in', [...status])
      if (workflow !== undefined) query = query.where('workflow', '=', workflow)
      if (project !== undefined) query = query.where('project', '=', project)
      if (owner !== undefined) query = query.where('owner', '=', owner)
      if (session !== undefined) query = query.where('session', '=', session)
      if (cursor !== undefined) query = query.where('place', '<', placeOf(cursor))
      // One more than asked for tells whether there is another page.
      const rows = await query
        .orderBy('place', 'desc')
        .limit(limit + 1)
        .execute()
      const runs = rows.slice(0, limit)
      const next = rows.length > limit ? String(runs.at(-1)?.place ?? 0) : null
      return { runs: runs.map(toRunRow), next }
    },

    async blobsOfCall(runId: string, callId: string): Promise<readonly Blob[]> {
      const rows = await db
        .selectFrom('blobs')
        .selectAll()
        .where('run_id', '=', runId)
        .where('call_id', '=', callId)
        .orderBy('what')
        .execute()
      return rows.map(({ hash, what, body }) => ({ hash, callId, what, text: body }))
    },

    async newestOfSession(session: string): Promise<RunRow | undefined> {
      const row = await db
        .selectFrom('runs')
        .selectAll()
        .where('session', '=', session)
        .orderBy('place', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row && toRunRow(row)
    },

    async newestPaused(workflow: string, project: string | null): Promise<RunRow | undefined> {
      const row = await db
        .selectFrom('runs')
        .selectAll()
        .where('workflow', '=', workflow)
        .where('status', '=', 'paused')
        .where('project', project === null ? 'is' : '=', project)
        .orderBy('place', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row && toRunRow(row)
    },

    async moveToSession(runId: string, session: string): Promise<void> {
      await db.updateTable('runs').set({ session }).where('run_id', '=', runId).execute()
    },
  }
}

/** A cursor that nobody gave out leads to an empty page. */
function placeOf(cursor: string): number {
  return /^\d{1,15}$/.test(cursor) ? Number(cursor) : 0
}

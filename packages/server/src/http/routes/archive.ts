import { defined } from '@statewright/core/internal'
import { endpoints } from '@statewright/core/wire'
import { type Route, serve } from '../pipeline/route.ts'

const dayMs = 86_400_000

/** Runs whose history has left the store. */
export function archiveRoutes(folder: string): readonly Route[] {
  return [
    serve(endpoints.getArchive, async ({ server, query }, reply) => {
      const { clock, settings, store } = server.runtime
      const { keepMs } = settings
      const keep = keepMs === null ? null : `${keepMs / dayMs}d`
      const wanted = query.keep ?? keep
      const before = wanted === null ? 0 : clock.now() - Number.parseInt(wanted, 10) * dayMs
      const { limit, after } = query
      const read = await store.archive.list({ limit: limit + 1, ...defined({ after }) })
      const page = read.slice(0, limit)
      const due = await store.archive.ended({ before, limit })
      return reply(200, {
        keep,
        folder,
        archived: await store.archive.total(),
        runs: page.map((run) => ({
          run_id: run.runId,
          seq: run.seq,
          chain: run.chain,
          archived_at: run.archivedAt,
          node: run.node,
          file: run.file,
        })),
        next: read.length > limit ? (page.at(-1)?.runId ?? null) : null,
        due: {
          total: await store.archive.count(before),
          first: due.map(({ row }) => ({
            run_id: row.runId,
            workflow: row.workflow,
            status: row.status,
            entries: row.seq,
            ended_at: row.updatedAt,
          })),
        },
      })
    }),
  ]
}

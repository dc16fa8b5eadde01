import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { ask, segment } from './client.ts'
import { rowsOf } from './queries.ts'
import type { WireEntry } from './types.ts'

interface EntryPage {
  readonly entries: readonly WireEntry[]
  readonly next: number | null
}

const pageSize = 1000
/** More than this is not kept in a browser; the export has it all. */
export const mostEntries = 20_000

/**
 * The history of a run with the events behind it. What is known is not asked for again, so that a
 * new entry costs one small answer, and none can come twice.
 */
export function entriesQuery(client: QueryClient, runId: string) {
  const queryKey = ['run', runId, 'entries'] as const
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }): Promise<readonly WireEntry[]> => {
      const known = client.getQueryData<readonly WireEntry[]>(queryKey) ?? []
      const entries = [...known]
      for (let next: number | null = entries.at(-1)?.seq ?? 0; next !== null; ) {
        const query = { after: next, limit: pageSize, cause: 1 }
        const path = `/api/runs/${segment(runId)}/entries`
        const page: EntryPage = await ask<EntryPage>('GET', path, { query, signal })
        entries.push(...page.entries)
        next = entries.length >= mostEntries ? null : page.next
      }
      return entries.length === known.length ? known : entries
    },
    structuralSharing: false,
  })
}

/** The last entries of a run, for a glance. */
export function tailQuery(runId: string, most: number) {
  return queryOptions({
    queryKey: ['run', runId, 'tail', most],
    queryFn: async ({ signal }): Promise<readonly WireEntry[]> => {
      const [row] = await rowsOf([runId])
      const query = { after: Math.max(0, (row?.seq ?? 0) - most), limit: most }
      const path = `/api/runs/${segment(runId)}/entries`
      return (await ask<EntryPage>('GET', path, { query, signal })).entries
    },
  })
}

export interface CallFacts {
  readonly call_id: string
  readonly input?: unknown
  readonly output?: unknown
}

/** What a call asked for. It never changes once it was decided. */
export function callQuery(runId: string, callId: string) {
  return queryOptions({
    queryKey: ['call', runId, callId],
    queryFn: ({ signal }) =>
      ask<CallFacts>('GET', `/api/runs/${segment(runId)}/calls/${segment(callId)}`, { signal }),
  })
}

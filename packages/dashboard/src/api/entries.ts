import { type EntryLine, endpoints, isKnown, type RunLine } from '@statewright/core/wire'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { PlacedEntry } from '../model/history/recorded-run.ts'
import { call } from './client.ts'
import { rowsOf } from './queries.ts'

const pageSize = 1000
/** Of a longer history the newest are shown; the export has it all. */
const maxEntries = 20_000

/**
 * The history of a run with the events behind it. What is known is not asked for again, so that a
 * new entry costs one small answer, and none can come twice.
 */
export function entriesQuery(client: QueryClient, runId: string) {
  const queryKey = ['run', runId, 'entries'] as const
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }): Promise<readonly PlacedEntry[]> => {
      const known = client.getQueryData<readonly PlacedEntry[]>(queryKey) ?? []
      const entries = [...known]
      for (let after: number | null = entries.at(-1)?.seq ?? 0; after !== null; ) {
        const page = await entriesOf(runId, { after, limit: pageSize, cause: '1' }, signal)
        const newest: number = page.next === null || after > 0 ? 0 : await seqOf(runId)
        if (newest > maxEntries) {
          after = newest - maxEntries
          continue
        }
        entries.push(...page.entries)
        after = page.next
      }
      return entries.length === known.length ? known : entries
    },
    structuralSharing: false,
  })
}

/**
 * The last entries of a run, for a glance. Whoever shows it knows its newest one from the list of
 * runs; only when something happens later is that asked for.
 */
export function tailQuery(client: QueryClient, run: Pick<RunLine, 'run_id' | 'seq'>, max: number) {
  const { run_id: runId } = run
  const queryKey = ['run', runId, 'tail', max] as const
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }): Promise<readonly PlacedEntry[]> => {
      const isFirst = client.getQueryData(queryKey) === undefined
      const after = Math.max(0, (isFirst ? run.seq : await seqOf(runId)) - max)
      return (await entriesOf(runId, { after, limit: max, cause: '0' }, signal)).entries
    },
  })
}

/** The number of its newest entry. */
async function seqOf(runId: string): Promise<number> {
  return (await rowsOf([runId]))[0]?.seq ?? 0
}

interface Part {
  readonly after: number
  readonly limit: number
  readonly cause: '0' | '1'
}

interface EntryPage {
  readonly entries: readonly PlacedEntry[]
  readonly next: number | null
}

async function entriesOf(id: string, query: Part, signal: AbortSignal): Promise<EntryPage> {
  const page = await call(endpoints.listEntries, { params: { id }, query, signal })
  return { entries: page.entries.flatMap(placed), next: page.next }
}

/** Types that only a newer server knows have no words here: the page has to be loaded again. */
function placed(entry: EntryLine): readonly PlacedEntry[] {
  // Its shape was read just now; a cause is the event of core that the server has played itself.
  return isKnown(entry) ? [entry as unknown as PlacedEntry] : []
}

/** What a call asked for. It never changes once it was decided. */
export function callQuery(runId: string, callId: string) {
  return queryOptions({
    queryKey: ['call', runId, callId],
    queryFn: ({ signal }) =>
      call(endpoints.getCall, { params: { id: runId, call: callId }, signal }),
  })
}

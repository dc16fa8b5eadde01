import { type EntryLine, endpoints, isKnown, type RunLine } from '@statewright/core/wire'
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { PlacedEntry } from '../../model/history/recorded-run.ts'
import { call } from '../client/client.ts'
import { rowsOf } from './queries.ts'

const firstSize = 1000
const pageSize = 5000
/** Of a longer history the newest are shown; the export has it all. */
const maxEntries = 20_000

type Entries = readonly PlacedEntry[]

/**
 * The newest entries of a run with the events behind them: of most runs, all. What is known is not
 * asked for again, so that a new entry costs one small answer, and none can come twice.
 */
function entriesQuery(client: QueryClient, runId: string) {
  const queryKey = ['run', runId, 'entries'] as const
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }): Promise<Entries> => {
      const known = client.getQueryData<Entries>(queryKey) ?? []
      const newest = known.at(-1)
      if (newest === undefined) {
        return (await entriesOf(runId, { last: firstSize, cause: '1' }, signal)).entries
      }
      const added = await entriesBetween(runId, { after: newest.seq }, signal)
      return added.length === 0 ? known : [...known, ...added]
    },
    structuralSharing: false,
  })
}

/** What came before the newest entries. It is asked for once, when those are on screen. */
function olderQuery(runId: string, first: number) {
  return queryOptions({
    // Apart from what a new entry of the run makes old.
    queryKey: ['older', runId, first],
    queryFn: ({ signal }): Promise<Entries> => {
      const after = Math.max(0, first - 1 + firstSize - maxEntries)
      return entriesBetween(runId, { after, before: first }, signal)
    },
    structuralSharing: false,
  })
}

export interface History {
  readonly entries: Entries | undefined
  /** Whether older ones are still on their way. */
  readonly isReading: boolean
  readonly error: Error | null
}

/** The history of a run: the newest entries at once, those before them as soon as they come. */
export function useEntries(runId: string, isWanted = true): History {
  const newest = useQuery({ ...entriesQuery(useQueryClient(), runId), enabled: isWanted })
  const first = newest.data?.[0]?.seq ?? 1
  const older = useQuery({ ...olderQuery(runId, first), enabled: isWanted && first > 1 })
  const isJoined = older.data !== undefined && newest.data !== undefined
  const entries = isJoined ? join(older.data, newest.data) : newest.data
  const isReading = first > 1 && older.isPending
  return { entries, isReading, error: newest.error ?? older.error }
}

const joined = new WeakMap<Entries, Entries>()

/** Joined once, so that the same history is the same array and nothing is computed again. */
function join(older: Entries, newest: Entries): Entries {
  const known = joined.get(newest) ?? [...older, ...newest]
  joined.set(newest, known)
  return known
}

async function entriesBetween(
  runId: string,
  { after, before }: { readonly after: number; readonly before?: number },
  signal: AbortSignal,
): Promise<Entries> {
  const entries: PlacedEntry[] = []
  for (let last: number | null = after; last !== null; ) {
    const limit = before === undefined ? pageSize : Math.min(pageSize, before - 1 - last)
    const page: EntryPage = await entriesOf(runId, { after: last, limit, cause: '1' }, signal)
    entries.push(...page.entries)
    last = before !== undefined && (page.next ?? before) >= before - 1 ? null : page.next
  }
  return entries
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

type Part = { readonly cause: '0' | '1' } & (
  | { readonly after: number; readonly limit: number }
  | { readonly last: number }
)

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

/** The definitions that a run is bound to. They never change, whatever becomes of the workflow. */
export function programQuery(id: string) {
  return queryOptions({
    queryKey: ['program', id],
    queryFn: ({ signal }) => call(endpoints.getProgram, { params: { id }, signal }),
  })
}

import { setImmediate } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { toApproval, toParsedEntry } from '../rows.ts'
import type {
  ActivityCount,
  ActivityKind,
  ActivityStore,
  ApprovalRow,
  DenialRow,
  TimeWindow,
} from '../store.ts'
import type { TypedQueries } from './typed-queries.ts'

/** Entries that are looked at, counted back from the newest. */
const activityLookback = 20_000
/** At a time: SQLite reads in the thread that judges calls, which must not wait for a chart. */
const chunkSize = 2000

export function activityQueries(kind: 'sqlite' | 'postgres', db: TypedQueries): ActivityStore {
  const entries = conditionsOn(kind)
  return {
    counts: (request) => countsIn(db, entries, request),
    denials: (request) => denialsIn(db, entries, request),
    approvals: (request) => approvalsIn(db, request),
  }
}

/** What is asked of entries, spelled as a database reads it. */
function conditionsOn(kind: 'sqlite' | 'postgres') {
  const { at, decision, would } = spellings[kind]
  const isDecided = begins('call_decided')
  return {
    at,
    isDecided,
    isAsked: sql<boolean>`(${isDecided} AND ${decision} = 'ask"')`,
    isDenied: sql<boolean>`(${isDecided} AND ${decision} = 'deny')`,
    hasPassed: sql<boolean>`(${isDecided} AND ${would} = 'allow","would":')`,
    isRefused: begins('refused'),
    isWithin: ({ after, until }: Chunk) =>
      sql<boolean>`entries.place > ${after} AND entries.place <= ${until}`,
    isIn: ({ from, to }: TimeWindow) => sql<boolean>`${at} >= ${from} AND ${at} < ${to}`,
  }
}

type EntryConditions = ReturnType<typeof conditionsOn>

async function countsIn(
  db: TypedQueries,
  { at, isDecided, isAsked, isDenied, hasPassed, isRefused, isWithin, isIn }: EntryConditions,
  { slotMs, ...window }: Parameters<ActivityStore['counts']>[0],
): Promise<readonly ActivityCount[]> {
  const what = sql<ActivityKind>`CASE
    WHEN ${isDenied} THEN 'denied'
    WHEN ${isAsked} THEN 'asked'
    WHEN ${hasPassed} THEN 'passed'
    WHEN ${isDecided} THEN 'allowed'
    WHEN ${isRefused} THEN 'refused'
    ELSE 'transitioned' END`
  const sums = new Map<string, ActivityCount>()
  for await (const chunk of chunksBack(db)) {
    const rows = await db
      .selectFrom('entries')
      .select([
        sql<number>`${at} / ${sql.lit(slotMs)}`.as('slot'),
        what.as('kind'),
        sql<number>`count(*)`.as('count'),
      ])
      .where(isWithin(chunk))
      .where(sql<boolean>`(${isDecided} OR ${begins('transitioned')} OR ${isRefused})`)
      .where(isIn(window))
      .groupBy(sql`1, 2`)
      .execute()
    for (const row of rows) {
      const key = `${row.slot} ${row.kind}`
      const count = (sums.get(key)?.count ?? 0) + Number(row.count)
      sums.set(key, { at: Number(row.slot) * slotMs, kind: row.kind, count })
    }
  }
  return [...sums.values()].sort((a, b) => a.at - b.at || (a.kind < b.kind ? -1 : 1))
}

async function denialsIn(
  db: TypedQueries,
  { isDenied, isRefused, isWithin, isIn }: EntryConditions,
  { limit, ...window }: Parameters<ActivityStore['denials']>[0],
): Promise<readonly DenialRow[]> {
  const found: DenialRow[] = []
  for await (const chunk of chunksBack(db)) {
    const rows = await db
      .selectFrom('entries')
      .innerJoin('runs', 'runs.run_id', 'entries.run_id')
      .select(['entries.run_id', 'runs.workflow', 'entries.entry'])
      .where(isWithin(chunk))
      .where(sql<boolean>`(${isDenied} OR ${isRefused})`)
      .where(isIn(window))
      .orderBy('entries.place', 'desc')
      .limit(limit - found.length)
      .execute()
    for (const { run_id: runId, workflow, entry } of rows) {
      found.push({ runId, workflow, entry: toParsedEntry(entry) })
    }
    if (found.length >= limit) break
  }
  return found
}

async function approvalsIn(
  db: TypedQueries,
  { from, to, limit }: Parameters<ActivityStore['approvals']>[0],
): Promise<readonly ApprovalRow[]> {
  const rows = await db
    .selectFrom('approvals')
    .selectAll()
    .where('opened_at', '>=', from)
    .where('opened_at', '<', to)
    .orderBy('place', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toApproval)
}

interface Chunk {
  readonly after: number
  readonly until: number
}

/** The newest entries in pieces, newest first; whatever waits comes in between. */
async function* chunksBack(db: TypedQueries): AsyncGenerator<Chunk> {
  const newest = await db
    .selectFrom('entries')
    .select(sql<number>`coalesce(max(entries.place), 0)`.as('place'))
    .executeTakeFirstOrThrow()
  const last = Number(newest.place)
  for (let until = last; until > Math.max(0, last - activityLookback); until -= chunkSize) {
    yield { after: until - chunkSize, until }
    await setImmediate()
  }
}

function begins(type: string): RawBuilder<boolean> {
  const head = `{"type":"${type}",`
  return sql<boolean>`substr(entries.entry, 1, ${sql.lit(head.length)}) = ${sql.lit(head)}`
}

/**
 * Of the decision four letters are read, behind the first mention of it: the strings before it
 * have no bare quotation mark, so that nothing an agent wrote into a call is taken for it.
 */
const mark = sql.lit('"decision":"')
const markLength = sql.lit('"decision":"'.length)

const spellings = {
  sqlite: {
    at: sql`json_extract(entries.entry, '$.at')`,
    decision: sql`substr(entries.entry, instr(entries.entry, ${mark}) + ${markLength}, 4)`,
    would: sql`substr(entries.entry, instr(entries.entry, ${mark}) + ${markLength}, 15)`,
  },
  postgres: {
    // Postgres refuses to read JSON in which an agent wrote a NUL or half a character. For those
    // the first time in the text has to do; at worst an agent misplaces its own bar in a chart.
    at: sql`(CASE WHEN entries.entry ~* '\\\\u(0000|d[89a-f])'
      THEN substring(entries.entry from '"at":([0-9]{1,15})')
      ELSE entries.entry::json->>'at' END)::bigint`,
    decision: sql`substr(entries.entry, strpos(entries.entry, ${mark}) + ${markLength}, 4)`,
    would: sql`substr(entries.entry, strpos(entries.entry, ${mark}) + ${markLength}, 15)`,
  },
} as const

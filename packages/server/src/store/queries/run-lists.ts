import { isUnfinishedStatus } from '@statewright/core/internal'
import { type ExpressionBuilder, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { type Tables, toEntryBody, toRunRow } from '../rows.ts'
import type { Blob, RunFilter, RunPage, RunRow, RunStore } from '../store.ts'
import { personsText, unfinishedText } from '../tables.ts'
import { searchConditions, searchedRuns } from './search-runs.ts'
import type { TypedQueries } from './typed-queries.ts'
import { unfinishedTotals } from './unfinished-totals.ts'

export type RunLists = Pick<
  RunStore,
  | 'list'
  | 'blobsOfCall'
  | 'newestOfSession'
  | 'newestOfPeople'
  | 'endedAt'
  | 'unfinishedTotals'
  | 'ofWorkflow'
  | Bonds
>

const endedStart = '{"type":"run_ended",'

/** Lists of runs, newest first, in the order in which they were created. */
export function runLists(db: TypedQueries): RunLists {
  return {
    list: (filter) => listRuns(db, filter),

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

    ...standingQueries(db),
    ...unfinishedTotals(db),

    async ofWorkflow({ workflow, project, status, seenBy, limit }): Promise<readonly RunRow[]> {
      let query = db
        .selectFrom('runs')
        .selectAll()
        .where('workflow', '=', workflow)
        .where('status', 'in', [...status])
        .where('project', project === null ? 'is' : '=', project)
      if (seenBy !== undefined) query = query.where(isSeenBy(seenBy))
      const rows = await query.orderBy('place', 'desc').limit(limit).execute()
      return rows.map(toRunRow)
    },

    ...bondQueries(db),
  }
}

type Bonds = 'moveToSession' | 'bindAgent' | 'bindConnection'

/** Who a run belongs to besides the token that started it. */
function bondQueries(db: TypedQueries): Pick<RunStore, Bonds> {
  return {
    async moveToSession(runId: string, session: string): Promise<void> {
      await db.updateTable('runs').set({ session }).where('run_id', '=', runId).execute()
    },

    async bindAgent(runId: string, tokenId: string): Promise<string | null> {
      await db
        .updateTable('runs')
        .set({ agent: tokenId })
        .where('run_id', '=', runId)
        .where('agent', 'is', null)
        .execute()
      const row = await db
        .selectFrom('runs')
        .select('agent')
        .where('run_id', '=', runId)
        .executeTakeFirst()
      return row?.agent ?? null
    },

    async bindConnection(runId: string, connection: string): Promise<void> {
      // Another run that still had it would only be found if this one never gets it.
      await db.updateTable('runs').set({ connection }).where('run_id', '=', runId).execute()
      await db
        .updateTable('runs')
        .set({ connection: null })
        .where('connection', '=', connection)
        .where('run_id', '<>', runId)
        .execute()
    },
  }
}

/** By which a block stands or is lifted. */
function standingQueries(db: TypedQueries): Pick<RunStore, 'newestOfPeople' | 'endedAt'> {
  return {
    async newestOfPeople(workflow): Promise<RunRow | undefined> {
      const row = await db
        .selectFrom('runs')
        .selectAll()
        .where('workflow', '=', workflow)
        .where(isPersons)
        .orderBy('created_at', 'desc')
        .orderBy('place', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row && toRunRow(row)
    },

    async endedAt(runId): Promise<number | undefined> {
      const row = await db
        .selectFrom('entries')
        .select('entry')
        .where('run_id', '=', runId)
        // The type comes first in the text, so that nothing that an agent wrote can look like it.
        .where(sql<boolean>`substr(entry, 1, ${endedStart.length}) = ${endedStart}`)
        .orderBy('seq', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row && toEntryBody({ seq: 0, entry: row.entry }).entry.at
    },
  }
}

async function listRuns(db: TypedQueries, filter: RunFilter): Promise<RunPage> {
  const { status, limit, cursor, seenBy, search = '' } = filter
  if (status?.length === 0) return { runs: [], next: null }
  const floor = search.trim() === '' ? undefined : await searchFloor(db, cursor)
  const conditions = conditionsOf(filter, floor)
  const matching = (more: readonly RawBuilder<boolean>[]) => {
    let query = db.selectFrom('runs')
    for (const condition of [...conditions, ...more]) query = query.where(condition)
    // One more than asked for tells whether there is another page.
    return query.orderBy('place', 'desc').limit(limit + 1)
  }
  const rows = await (seenBy === undefined
    ? matching([]).selectAll()
    : newestOfBoth(
        db,
        limit,
        matching([sql`owner = ${seenBy}`]).select('place'),
        matching([sql`agent = ${seenBy}`]).select('place'),
      )
  ).execute()
  const runs = rows.slice(0, limit)
  const rest = floor === undefined ? null : String(floor + 1)
  const next = rows.length > limit ? String(runs.at(-1)?.place ?? 0) : rest
  return { runs: runs.map(toRunRow), next }
}

type RunPositions = SelectQueryBuilder<Tables, 'runs', { place: number }>

/**
 * Runs that a token started or was handed (PO-8). Each of the two is read newest first and no
 * further than asked: with "or" a database gathers and sorts all runs that the token ever had.
 */
function newestOfBoth(
  db: TypedQueries,
  limit: number,
  started: RunPositions,
  handed: RunPositions,
) {
  return db
    .selectFrom('runs')
    .selectAll()
    .where((of) => of.or([of('place', 'in', started), of('place', 'in', handed)]))
    .orderBy('place', 'desc')
    .limit(limit + 1)
}

function conditionsOf(filter: RunFilter, floor: number | undefined): RawBuilder<boolean>[] {
  const { status, cursor, search = '', since, without } = filter
  const conditions = [...searchConditions(search)]
  if (floor !== undefined) conditions.push(sql`place > ${floor}`)
  if (since !== undefined) conditions.push(sql`updated_at >= ${since}`)
  if (status !== undefined) {
    conditions.push(sql`status IN (${sql.join(status)})`)
    // What an index spells out is found by it; here it says nothing that was not said.
    if (status.every(isUnfinishedStatus)) conditions.push(isUnfinished)
  }
  for (const column of ['workflow', 'project', 'owner', 'session', 'connection'] as const) {
    const value = filter[column]
    if (value !== undefined) conditions.push(sql`${sql.ref(column)} = ${value}`)
  }
  if (without !== undefined) conditions.push(sql`workflow <> ${without}`)
  if (cursor !== undefined) conditions.push(sql`place < ${offsetOf(cursor)}`)
  return conditions
}

const isUnfinished: RawBuilder<boolean> = sql.raw(unfinishedText)
const isPersons: RawBuilder<boolean> = sql.raw(personsText)

/** The first run that this page of a search no longer looks at. */
async function searchFloor(
  db: TypedQueries,
  cursor: string | undefined,
): Promise<number | undefined> {
  let query = db.selectFrom('runs').select('place')
  if (cursor !== undefined) query = query.where('place', '<', offsetOf(cursor))
  const [row] = await query.orderBy('place', 'desc').limit(1).offset(searchedRuns).execute()
  return row === undefined ? undefined : Number(row.place)
}

/** Runs that a token started or was handed (PO-8). */
export function isSeenBy(tokenId: string) {
  return (of: ExpressionBuilder<Tables, 'runs'>) =>
    of.or([of('owner', '=', tokenId), of('agent', '=', tokenId)])
}

/** A cursor that nobody gave out leads to an empty page. */
function offsetOf(cursor: string): number {
  return /^\d{1,15}$/.test(cursor) ? Number(cursor) : 0
}

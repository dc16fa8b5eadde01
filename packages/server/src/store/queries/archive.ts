import type { RunSnapshot, RunStatus } from '@statewright/core/internal'
import { type Compilable, sql } from 'kysely'
import type {
  ArchivedPart,
  ArchivedRun,
  ArchiveStore,
  CallValue,
  EndedCursor,
} from '../archive-store.ts'
import { fieldsOf, toApproval, toRunRow } from '../rows.ts'
import type { ExecuteTogether } from './sessions.ts'
import { keepSpend } from './spend.ts'
import type { Statement, TypedQueries } from './typed-queries.ts'

/** Blocked ones are not among them: they still hold their session. */
const endedWords = ['completed', 'failed', 'stopped'] as const satisfies readonly RunStatus[]

type Kind = 'sqlite' | 'postgres'

export function archiveQueries(
  kind: Kind,
  db: TypedQueries,
  together: ExecuteTogether,
): ArchiveStore {
  return {
    ...endedQueries(kind, db),
    ...callQueries(db),
    ...archivedQueries(db),

    mark: (archived, snapshot) =>
      together([
        statement(markQuery(db, archived)),
        statement(snapshotQuery(db, archived, snapshot)),
      ]),

    async removeEntries(part) {
      await together([
        // Two nodes at the same run take turns at this row, so that no cost is added twice.
        statement(uncleared(db, part.runId).set({ cleared: 0 })),
        statement(keepSpend(kind, db, part)),
        ...removals(db, part).map(statement),
      ])
    },

    async finish(runId) {
      await together([statement(uncleared(db, runId).set({ cleared: 1 }))])
    },
  }
}

function statement(query: Compilable): Statement {
  const { sql: text, parameters } = query.compile()
  return { sql: text, parameters, isRead: false }
}

function uncleared(db: TypedQueries, runId: string) {
  return db.updateTable('archived_runs').where('run_id', '=', runId).where('cleared', '=', 0)
}

function removals(
  db: TypedQueries,
  { runId, upTo, values, approvals }: ArchivedPart,
): readonly Compilable[] {
  const answered = db
    .selectFrom('approvals')
    .select('approval_id')
    .where('run_id', '=', runId)
    .where('approval_id', 'in', [...approvals])
    .where('status', '<>', 'waiting')
  return [
    db.deleteFrom('entries').where('run_id', '=', runId).where('seq', '<=', upTo),
    ...(values.length === 0
      ? []
      : [db.deleteFrom('blobs').where('run_id', '=', runId).where(isOneOf(values))]),
    ...(approvals.length === 0
      ? []
      : [
          db.deleteFrom('deliveries').where('approval_id', 'in', answered),
          db.deleteFrom('approvals').where('approval_id', 'in', answered),
        ]),
  ]
}

function isOneOf(values: readonly CallValue[]) {
  const pairs = values.map(({ callId, hash }) => sql`(${callId}, ${hash})`)
  return sql<boolean>`(call_id, hash) IN (VALUES ${sql.join(pairs)})`
}

function endedQueries(kind: Kind, db: TypedQueries): Pick<ArchiveStore, 'ended' | 'count'> {
  const { endedAt, runId } = endColumns(kind)
  return {
    async ended({ before, after, limit }) {
      let query = endedRuns(kind, db, before).selectAll('runs')
      if (after !== undefined) query = query.where(isBehind(kind, after))
      const rows = await query.orderBy(endedAt).orderBy(runId).limit(limit).execute()
      return rows.map((row) => ({
        row: toRunRow(row),
        cursor: { updatedAt: row.updated_at, runId: row.run_id },
      }))
    },

    async count(before) {
      const counted = await endedRuns(kind, db, before)
        .select(sql<number>`count(*)`.as('count'))
        .executeTakeFirstOrThrow()
      return Number(counted.count)
    },
  }
}

type ArchivedQueries = Pick<ArchiveStore, 'unfinished' | 'get' | 'list' | 'total'>

function archivedQueries(db: TypedQueries): ArchivedQueries {
  const columns = ['run_id', 'seq', 'chain', 'archived_at', 'node', 'file'] as const
  const archived = () => db.selectFrom('archived_runs').select(columns)
  return {
    async unfinished(limit) {
      const rows = await archived().where('cleared', '=', 0).limit(limit).execute()
      return rows.map(fieldsOf)
    },

    async get(runId) {
      const row = await archived().where('run_id', '=', runId).executeTakeFirst()
      return row && fieldsOf(row)
    },

    async list({ after, limit }) {
      let query = archived()
      if (after !== undefined) query = query.where('run_id', '>', after)
      return (await query.orderBy('run_id').limit(limit).execute()).map(fieldsOf)
    },

    async total() {
      const counted = await db
        .selectFrom('archived_runs')
        .select(sql<number>`count(*)`.as('count'))
        .executeTakeFirstOrThrow()
      return Number(counted.count)
    },
  }
}

/** What goes into the archive beside the entries. */
function callQueries(db: TypedQueries): Pick<ArchiveStore, 'blobs' | 'approvals'> {
  return {
    async blobs(runId, values) {
      if (values.length === 0) return []
      const rows = await db
        .selectFrom('blobs')
        .selectAll()
        .where('run_id', '=', runId)
        .where(isOneOf(values))
        .orderBy('call_id')
        .orderBy('what')
        .execute()
      return rows.map(({ hash, call_id: callId, what, body }) => ({
        hash,
        callId,
        what,
        text: body,
      }))
    },

    async approvals(runId) {
      const rows = await db
        .selectFrom('approvals')
        .selectAll()
        .where('run_id', '=', runId)
        .orderBy('place')
        .execute()
      return rows.map(toApproval)
    },
  }
}

/** Postgres keeps in a table of its own when runs ended. */
function endColumns(kind: Kind) {
  return kind === 'postgres'
    ? { endedAt: sql<number>`ended_runs.ended_at`, runId: sql<string>`ended_runs.run_id` }
    : { endedAt: sql<number>`runs.updated_at`, runId: sql<string>`runs.run_id` }
}

/** Runs that ended before a time and have entries of which the archive knows nothing. */
function endedRuns(kind: Kind, db: TypedQueries, before: number) {
  // Spelled as in the index, in which nothing else stands.
  const hasEnded = sql<boolean>`runs.status IN ('completed', 'failed', 'stopped')`
  const newest = sql<string>`(SELECT run_id FROM entries ORDER BY place DESC LIMIT 1)`
  return db
    .selectFrom('runs')
    .$if(kind === 'postgres', (query) => {
      return query.innerJoin('ended_runs', 'ended_runs.run_id', 'runs.run_id')
    })
    .where(hasEnded)
    .where(sql<boolean>`${endColumns(kind).endedAt} < ${before}`)
    .where(sql<boolean>`runs.run_id <> ${newest}`)
    .where(
      sql<boolean>`NOT EXISTS (SELECT 1 FROM archived_runs AS archived
        WHERE archived.run_id = runs.run_id AND archived.seq >= runs.seq)`,
    )
    .where(
      sql<boolean>`NOT EXISTS (SELECT 1 FROM approvals
        WHERE approvals.run_id = runs.run_id AND approvals.status = 'waiting')`,
    )
}

function isBehind(kind: Kind, after: EndedCursor) {
  const { endedAt, runId } = endColumns(kind)
  return sql<boolean>`(${endedAt}, ${runId}) > (${after.updatedAt}, ${after.runId})`
}

/** Counts only while the run stands where it was read, and nobody else is at it. */
function markQuery(db: TypedQueries, archived: ArchivedRun) {
  const { runId, seq, chain, archivedAt, node, file } = archived
  return db
    .insertInto('archived_runs')
    .columns(['run_id', 'seq', 'chain', 'archived_at', 'node', 'file', 'cleared'])
    .expression(
      db
        .selectFrom('runs')
        .select([
          'run_id',
          'seq',
          'chain',
          sql<number>`CAST(${archivedAt} AS BIGINT)`.as('archived_at'),
          sql<string>`CAST(${node} AS TEXT)`.as('node'),
          sql<string>`CAST(${file} AS TEXT)`.as('file'),
          sql<number>`0`.as('cleared'),
        ])
        .where('run_id', '=', runId)
        .where('seq', '=', seq)
        .where('chain', '=', chain)
        .where('status', 'in', [...endedWords]),
    )
    .onConflict((conflict) =>
      conflict
        .column('run_id')
        .doUpdateSet({ seq, chain, archived_at: archivedAt, node, file, cleared: 0 })
        .where('archived_runs.cleared', '=', 1)
        .where('archived_runs.seq', '<', seq),
    )
}

/** What is left of the run must be able to stand without its entries. */
function snapshotQuery(db: TypedQueries, { runId, seq }: ArchivedRun, snapshot: RunSnapshot) {
  const body = JSON.stringify(snapshot)
  return db
    .insertInto('snapshots')
    .values({ run_id: runId, seq, body })
    .onConflict((conflict) => conflict.column('run_id').doUpdateSet({ seq, body }))
}

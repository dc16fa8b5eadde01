import { sql } from 'kysely'
import type { SpendStore } from '../store.ts'
import { isSeenBy } from './run-lists.ts'
import type { TypedQueries } from './typed-queries.ts'

const hourMs = 3_600_000

/**
 * Spend is summed from the history itself, so that it can never tell another story. Only entries
 * that name a cost are read: an index holds them apart from the rest. Of what is in the archive
 * the sums are kept (AR-2).
 */
export function spendQueries(kind: DatabaseKind, db: TypedQueries): SpendStore {
  return {
    async byHour({ from, to, seenBy }) {
      const { at } = spellings[kind]
      let stored = costs(kind, db)
        .where(sql<boolean>`${at} >= ${from}`)
        .where(sql<boolean>`${at} < ${to}`)
      let archived = db
        .selectFrom('archived_spend')
        .select(['hour', 'cost_micros as cost'])
        .where(sql<boolean>`hour >= ${Math.floor(from / hourMs)}`)
        .where(sql<boolean>`hour < ${Math.ceil(to / hourMs)}`)
      if (seenBy !== undefined) {
        const seen = db.selectFrom('runs').select('run_id').where(isSeenBy(seenBy))
        stored = stored.where('run_id', 'in', seen)
        archived = archived.where('run_id', 'in', seen)
      }
      const rows = await db
        .selectFrom(stored.unionAll(archived).as('spent'))
        .select(['hour', sql<number>`sum(cost)`.as('cost')])
        .groupBy('hour')
        .orderBy('hour')
        .execute()
      return rows.map((row) => ({ at: Number(row.hour) * hourMs, costMicros: Number(row.cost) }))
    },
  }
}

type DatabaseKind = 'sqlite' | 'postgres'

function costs(kind: DatabaseKind, db: TypedQueries) {
  const { hasCost, isCost, at, cost } = spellings[kind]
  return db
    .selectFrom('entries')
    .select([sql<number>`${at} / 3600000`.as('hour'), sql<number>`${cost}`.as('cost')])
    .where(sql<boolean>`${hasCost}`)
    .where(sql<boolean>`${isCost}`)
}

/** Adds what entries up to one cost to the sums of their hours, before they are removed. */
export function keepSpend(
  kind: DatabaseKind,
  db: TypedQueries,
  { runId, upTo }: { readonly runId: string; readonly upTo: number },
) {
  const hours = db
    .selectFrom(costs(kind, db).where('run_id', '=', runId).where('seq', '<=', upTo).as('spent'))
    .select([
      sql<string>`CAST(${runId} AS TEXT)`.as('run_id'),
      'hour',
      sql<number>`sum(cost)`.as('cost_micros'),
    ])
    // An INSERT from a SELECT with ON CONFLICT needs a WHERE on SQLite, or reads ON as a join.
    .where(sql<boolean>`1 = 1`)
    .groupBy('hour')
  return db
    .insertInto('archived_spend')
    .columns(['run_id', 'hour', 'cost_micros'])
    .expression(hours)
    .onConflict((conflict) =>
      conflict.columns(['run_id', 'hour']).doUpdateSet({
        cost_micros: sql<number>`archived_spend.cost_micros + excluded.cost_micros`,
      }),
    )
}

/**
 * The first condition is spelled as in the index: otherwise it would not be used. Postgres would
 * refuse to read a history in which an agent wrote a NUL, so that it looks at the text instead:
 * the type comes first in it, and no quotation mark inside of a string stands there bare.
 */
const spellings = {
  sqlite: {
    hasCost: sql`instr(entry, '"cost_micros"') > 0`,
    isCost: sql`json_extract(entry, '$.type') IN ('call_finished', 'cost_reported')`,
    at: sql`json_extract(entry, '$.at')`,
    // What takes money back does not count, as in the run itself.
    cost: sql`max(0, coalesce(json_extract(entry, '$.cost_micros'), 0))`,
  },
  postgres: {
    hasCost: sql`strpos(entry, '"cost_micros"') > 0`,
    isCost: sql`entry ~ '^{"type":"(call_finished|cost_reported)",'`,
    at: sql`substring(entry from '"at":([0-9]+)')::bigint`,
    cost: sql`greatest(0, substring(entry from '"cost_micros":(-?[0-9]+)')::bigint)`,
  },
} as const

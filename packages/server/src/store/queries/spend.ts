import { sql } from 'kysely'
import type { SpendStore } from '../store.ts'
import { isSeenBy } from './run-lists.ts'
import type { TypedQueries } from './typed-queries.ts'

const hourMs = 3_600_000

/**
 * Spend is summed from the history itself, so that it can never tell another story. Only entries
 * that name a cost are read: an index holds them apart from the rest.
 */
export function spendQueries(kind: 'sqlite' | 'postgres', db: TypedQueries): SpendStore {
  const { hasCost, isCost, at, cost } = spellings[kind]
  return {
    async byHour({ from, to, seenBy }) {
      let query = db
        .selectFrom('entries')
        .select([sql<number>`${at} / 3600000`.as('hour'), sql<number>`sum(${cost})`.as('cost')])
        .where(sql<boolean>`${hasCost}`)
        .where(sql<boolean>`${isCost}`)
        .where(sql<boolean>`${at} >= ${from}`)
        .where(sql<boolean>`${at} < ${to}`)
      if (seenBy !== undefined) {
        query = query.where('run_id', 'in', (inner) =>
          inner.selectFrom('runs').select('run_id').where(isSeenBy(seenBy)),
        )
      }
      const rows = await query.groupBy(sql`1`).orderBy(sql`1`).execute()
      return rows.map((row) => ({ at: Number(row.hour) * hourMs, costMicros: Number(row.cost) }))
    },
  }
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

import type { RunStatus } from '@statewright/core/internal'
import { type RawBuilder, sql } from 'kysely'
import type { RunStore } from '../store.ts'
import { unfinishedText } from '../tables.ts'
import type { TypedQueries } from './typed-queries.ts'

const isUnfinished: RawBuilder<boolean> = sql.raw(unfinishedText)

/** Sums over runs that go on, so many at a time: between two pages calls are judged. */
export function unfinishedTotals(db: TypedQueries): Pick<RunStore, 'unfinishedTotals'> {
  return {
    async unfinishedTotals({ status, seenBy, after = 0, limit }) {
      const row = await db
        .selectFrom(pageOf(db, { status, seenBy, after, limit }).as('page'))
        .select(({ fn }) => [
          fn.countAll<number>().as('runs'),
          fn.sum<number>('calls').as('calls'),
          fn.sum<number>('denials').as('denials'),
          fn.sum<number>('passed').as('passed'),
          fn.sum<number>('transitions').as('transitions'),
          fn.sum<number>('cost_micros').as('costMicros'),
          fn.sum<number>('waiting').as('waiting'),
          fn.max<number>('place').as('last'),
        ])
        .executeTakeFirstOrThrow()
      const { last, ...totals } = numbers(row)
      return { totals, next: totals.runs < limit ? null : last }
    },
  }
}

interface Page {
  readonly status: RunStatus
  readonly seenBy: string | undefined
  readonly after: number
  readonly limit: number
}

function pageOf(db: TypedQueries, { status, seenBy, after, limit }: Page) {
  const asked = sql<number>`(SELECT count(*) FROM approvals
    WHERE approvals.run_id = runs.run_id AND approvals.status = 'waiting')`
  const columns = ['calls', 'denials', 'passed', 'transitions', 'cost_micros'] as const
  const all = db
    .selectFrom('runs')
    .select(['place', ...columns, asked.as('waiting')])
    // Of one status they stand in this order in an index; several would be sorted for each page.
    .where('status', '=', status)
    .where('place', '>', after)
    .orderBy('place')
    .limit(limit)
  if (seenBy === undefined) return all
  // Each by its own index: with "or" a database reads the runs of everybody.
  const positions = (column: 'owner' | 'agent') =>
    db
      .selectFrom('runs')
      .select('place')
      .where(isUnfinished)
      .where('status', '=', status)
      .where(column, '=', seenBy)
      .where('place', '>', after)
      .orderBy('place')
      .limit(limit)
  return all.where((of) =>
    of.or([of('place', 'in', positions('owner')), of('place', 'in', positions('agent'))]),
  )
}

type Numbers<Sums> = { readonly [Name in keyof Sums]: number }

/** Postgres gives sums as text. */
function numbers<Sums extends object>(sums: Sums): Numbers<Sums> {
  const entries = Object.entries(sums).map(([name, value]) => [name, Number(value)])
  // The same names, each with a number.
  return Object.fromEntries(entries) as Numbers<Sums>
}

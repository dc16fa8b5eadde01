import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runLists } from '../queries/run-lists.ts'
import { spendQueries } from '../queries/spend.ts'
import { type Statement, typedQueries } from '../queries/typed-queries.ts'
import { openSqliteStore } from './open-sqlite-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'statewright-plans-'))
let database: DatabaseSync

beforeAll(async () => {
  await (await openSqliteStore({ folder })).close()
  database = new DatabaseSync(join(folder, 'statewright.db'), { readOnly: true })
})

afterAll(() => {
  database.close()
  rmSync(folder, { recursive: true, force: true })
})

/** How SQLite would answer what is asked, without answering it. */
async function plansOf(ask: (db: ReturnType<typeof typedQueries>) => Promise<unknown>) {
  const plans: string[] = []
  const db = typedQueries('sqlite', async ({ sql, parameters }: Statement) => {
    // Text and numbers, as every query binds.
    const values = parameters as (string | number)[]
    for (const row of database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values)) {
      plans.push(String(row.detail))
    }
    return { rows: [], changes: 0 }
  })
  // Nobody is answered, which some queries do not expect.
  await ask(db).catch(() => {})
  return plans
}

const sorts = (plans: readonly string[]) => plans.filter((one) => one.includes('TEMP B-TREE'))
const scans = (plans: readonly string[]) => plans.filter((one) => /^SCAN \w+$/.test(one))

describe('among very many runs and entries', () => {
  test('PR-4a: the newest run of a person is found without reading those of agents', async () => {
    const plans = await plansOf((db) => runLists(db).newestOfPeople('deploy'))
    expect(plans).toEqual([expect.stringContaining('USING INDEX runs_of_people (workflow=?)')])
  })

  test.each([undefined, 'agent_1'])(
    'PO-8: sums for %s read the runs that go on',
    async (seenBy) => {
      const own = seenBy === undefined ? {} : { seenBy }
      const plans = await plansOf((db) =>
        runLists(db).unfinishedTotals({ status: 'running', after: 9, limit: 9, ...own }),
      )
      const found =
        seenBy === undefined ? ['runs_by_status (status=? AND place>?)'] : ['by_owner', 'by_agent']
      for (const index of found) expect(plans.join('\n')).toContain(index)
      if (seenBy === undefined) expect(sorts(plans)).toEqual([])
      expect(scans(plans).filter((one) => !one.endsWith('page'))).toEqual([])
    },
  )

  test('PO-6: spend reads what has a cost, and the sums of the archive by the hour', async () => {
    const plans = await plansOf((db) => spendQueries('sqlite', db).byHour({ from: 0, to: 9 }))
    expect(plans.join('\n')).toContain('entries_with_cost')
    expect(plans.join('\n')).toContain('archived_spend_by_hour')
    expect(sorts(plans).length).toBeLessThanOrEqual(1)
  })
})

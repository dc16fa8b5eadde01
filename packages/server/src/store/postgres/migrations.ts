import type { Client } from 'pg'
import { type Migration, missingSteps } from '../migration.ts'
import {
  archivedSpend,
  archiveTables,
  deliveryTables,
  firstTables,
  policyEpochTable,
  policyTables,
  resolvedApprovals,
  runBonds,
  runMarks,
  runsOfPeople,
  type Spelling,
  sessionErrors,
  sessionTables,
  sessionTitles,
  tokenPeople,
  unfinishedRuns,
} from '../tables.ts'
import { endedRuns } from './ended-runs.ts'
import { quietFunctions } from './feed-notices.ts'
import { firstFunctions, markFunctions } from './functions.ts'
import { nodeTables, noteTables } from './nodes.ts'
import { policyEpochFunctions } from './policy-epoch.ts'
import { versionTables } from './versions.ts'
import { sparingFunctions } from './write-more.ts'
import { ruleFunctions } from './write-together.ts'

const spelling: Spelling = {
  text: 'text COLLATE "C"',
  int: 'bigint',
  place: 'bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
  // The transaction that wrote an entry: those of older transactions may still come.
  commitOrder: ', xid xid8 NOT NULL DEFAULT pg_current_xact_id()',
  end: '',
  hasCost: `strpos(entry, '"cost_micros"') > 0`,
}

export const postgresMigrations: readonly Migration[] = [
  {
    id: 1,
    name: 'first tables',
    statements: [
      ...firstTables(spelling),
      'CREATE INDEX entries_by_commit ON entries (xid, place)',
      ...firstFunctions,
    ],
  },
  { id: 2, name: 'policies and spend', statements: policyTables(spelling) },
  { id: 3, name: 'agent sessions', statements: sessionTables(spelling) },
  { id: 4, name: 'last error of sessions', statements: sessionErrors(spelling) },
  { id: 5, name: 'deliveries', statements: deliveryTables(spelling) },
  {
    id: 6,
    name: 'policy epoch',
    statements: [...policyEpochTable(spelling), ...policyEpochFunctions],
  },
  { id: 7, name: 'bonds of runs', statements: runBonds(spelling) },
  { id: 8, name: 'marks of runs', statements: [...runMarks(spelling), ...markFunctions] },
  { id: 9, name: 'people of tokens', statements: tokenPeople(spelling) },
  { id: 10, name: 'nodes', statements: nodeTables },
  { id: 11, name: 'titles of sessions', statements: sessionTitles(spelling) },
  { id: 12, name: 'versions for nodes', statements: versionTables },
  { id: 13, name: 'notes between nodes', statements: noteTables },
  { id: 14, name: 'notices beside the commit', statements: quietFunctions },
  { id: 15, name: 'approvals by answer', statements: resolvedApprovals },
  { id: 16, name: 'batches without what they lack', statements: sparingFunctions },
  { id: 17, name: 'archive', statements: archiveTables(spelling) },
  { id: 18, name: 'unfinished runs', statements: unfinishedRuns },
  { id: 19, name: 'runs of people', statements: runsOfPeople },
  { id: 20, name: 'archived spend', statements: archivedSpend(spelling) },
  { id: 21, name: 'rules that hold', statements: ruleFunctions },
  { id: 22, name: 'ended runs', statements: endedRuns },
]

/** Any number will do, as long as all nodes lock the same. */
const migrationLock = 7_482_911_026

/** Brings the schema forward, each step in a transaction of its own; other nodes wait. */
export async function migrate(client: Client, where: string): Promise<void> {
  await client.query('SELECT pg_advisory_lock($1)', [migrationLock])
  try {
    for (const step of missingSteps(postgresMigrations, await appliedStep(client), where)) {
      await client.query('BEGIN')
      try {
        await client.query(`CREATE TABLE IF NOT EXISTS migrations (
          id bigint PRIMARY KEY, name text NOT NULL, applied_at bigint NOT NULL)`)
        for (const statement of step.statements) await client.query(statement)
        await client.query(
          `INSERT INTO migrations VALUES ($1, $2, floor(extract(epoch FROM now()) * 1000))`,
          [step.id, step.name],
        )
        await client.query('COMMIT')
      } catch (error) {
        await client.query('ROLLBACK')
        throw error
      }
    }
    await rebaseCommits(client)
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [migrationLock])
  }
}

async function appliedStep(client: Client): Promise<number> {
  const table = await client.query<{ there: boolean }>(
    `SELECT to_regclass('migrations') IS NOT NULL AS there`,
  )
  if (table.rows[0]?.there !== true) return 0
  const newest = await client.query<{ id: string | null }>('SELECT max(id) AS id FROM migrations')
  return Number(newest.rows[0]?.id ?? 0)
}

/** Asked for the newest alone, so that a start does not read every entry. */
export const restoredQuery = `SELECT (SELECT xid FROM entries ORDER BY xid DESC LIMIT 1)
  >= pg_snapshot_xmax(pg_current_snapshot()) AS ahead`

/**
 * A database restored from a dump carries numbers of transactions that its new server has not
 * reached: its entries would be hidden from the feed until then.
 */
async function rebaseCommits(client: Client): Promise<void> {
  const { rows } = await client.query<{ ahead: boolean | null }>(restoredQuery)
  if (rows[0]?.ahead !== true) return
  await client.query(
    `UPDATE entries SET xid = '1' WHERE xid >= pg_snapshot_xmax(pg_current_snapshot())`,
  )
}

import { closeSync, openSync, readSync, statSync } from 'node:fs'
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
import { Database } from './database.ts'
import { corruptFault } from './faults.ts'

const spelling: Spelling = {
  text: 'TEXT',
  int: 'INTEGER',
  place: 'INTEGER PRIMARY KEY',
  commitOrder: '',
  end: 'STRICT',
  hasCost: `instr(entry, '"cost_micros"') > 0`,
}

export const sqliteMigrations: readonly Migration[] = [
  { id: 1, name: 'first tables', statements: firstTables(spelling) },
  { id: 2, name: 'policies and spend', statements: policyTables(spelling) },
  { id: 3, name: 'agent sessions', statements: sessionTables(spelling) },
  { id: 4, name: 'last error of sessions', statements: sessionErrors(spelling) },
  { id: 5, name: 'deliveries', statements: deliveryTables(spelling) },
  {
    id: 6,
    name: 'policy epoch',
    statements: [...policyEpochTable(spelling), ...epochTriggers()],
  },
  { id: 7, name: 'bonds of runs', statements: runBonds(spelling) },
  { id: 8, name: 'marks of runs', statements: runMarks(spelling) },
  { id: 9, name: 'people of tokens', statements: tokenPeople(spelling) },
  // Its folder has one user: there are no other nodes.
  { id: 10, name: 'nodes', statements: [] },
  { id: 11, name: 'titles of sessions', statements: sessionTitles(spelling) },
  // Of which there is one: what it decides it knows.
  { id: 12, name: 'versions for nodes', statements: [] },
  { id: 13, name: 'notes between nodes', statements: [] },
  { id: 14, name: 'notices beside the commit', statements: [] },
  { id: 15, name: 'approvals by answer', statements: resolvedApprovals },
  { id: 16, name: 'batches without what they lack', statements: [] },
  { id: 17, name: 'archive', statements: archiveTables(spelling) },
  { id: 18, name: 'unfinished runs', statements: unfinishedRuns },
  { id: 19, name: 'runs of people', statements: runsOfPeople },
  { id: 20, name: 'archived spend', statements: archivedSpend(spelling) },
  // Versions that know no journal would start without what it holds.
  { id: 21, name: 'journal', statements: [] },
]

/** Anyone who changes a policy, and however: the number moves in the same transaction. */
function epochTriggers(): readonly string[] {
  return ['INSERT', 'UPDATE', 'DELETE'].map(
    (change) => `CREATE TRIGGER policy_epoch_on_${change} AFTER ${change} ON policies
      BEGIN UPDATE policy_epoch SET epoch = epoch + 1; END`,
  )
}

/** Up to this size every page is looked at when a database is opened; it takes about 0.1 s. */
const checkedBytes = 64 * 1024 * 1024

/**
 * Looks at a database before anything writes to it: opening it for writing would already copy
 * pages from its log into a file that may be damaged, or that a newer version wrote.
 */
export function inspect(path: string): void {
  if (!hasHeader(path)) throw corruptFault(path, 'the file does not begin as a database does')
  const db = new Database({ path, durability: 'crash', isReader: true })
  try {
    missingSteps(sqliteMigrations, appliedStep(db), path)
    const pragma = statSync(path).size <= checkedBytes ? 'quick_check(1)' : `quick_check('runs')`
    const found = db.get<{ quick_check: string }>(`PRAGMA ${pragma}`)?.quick_check
    if (found !== 'ok') throw corruptFault(path, found ?? 'it cannot be checked')
  } finally {
    db.close()
  }
}

/** Brings the schema forward, each step in a transaction of its own. */
export function migrate(db: Database, now: number): void {
  for (const step of missingSteps(sqliteMigrations, appliedStep(db), db.path)) {
    db.transact(
      () => {
        db.execute(
          `CREATE TABLE IF NOT EXISTS migrations (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT`,
        )
        for (const statement of step.statements) db.execute(statement)
        db.run('INSERT INTO migrations VALUES (?, ?, ?)', step.id, step.name, now)
      },
      () => true,
    )
  }
}

function appliedStep(db: Database): number {
  const table = db.get(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'`)
  if (table === undefined) return 0
  return db.get<{ id: number | null }>('SELECT max(id) AS id FROM migrations')?.id ?? 0
}

function hasHeader(path: string): boolean {
  const start = Buffer.alloc(16)
  const file = openSync(path, 'r')
  try {
    readSync(file, start)
  } finally {
    closeSync(file)
  }
  return start.toString('latin1') === 'SQLite format 3\0'
}

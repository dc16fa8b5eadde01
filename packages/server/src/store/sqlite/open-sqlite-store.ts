import { counterKey, defaultReservationMs } from '@statewright/core/internal'
import { planCounters, usageOf } from '../counters/plan.ts'
import { activityQueries } from '../queries/activity.ts'
import { approvalQueries } from '../queries/approvals.ts'
import { archiveQueries } from '../queries/archive.ts'
import { definitionQueries } from '../queries/definitions.ts'
import { deliveryQueries } from '../queries/deliveries.ts'
import { notebookQueries } from '../queries/notebook.ts'
import { policyQueries } from '../queries/policies.ts'
import { runLists } from '../queries/run-lists.ts'
import { sessionQueries } from '../queries/sessions.ts'
import { settingQueries } from '../queries/settings.ts'
import { spendQueries } from '../queries/spend.ts'
import { tokenQueries } from '../queries/tokens.ts'
import { type Statement, typedQueries } from '../queries/typed-queries.ts'
import { type Store, StoreFault } from '../store.ts'
import type { Committer } from './committer.ts'
import { readCounters } from './counter-rows.ts'
import { databasePath, journalPath, takeDataFolder } from './data-folder.ts'
import { Database, type Durability } from './database.ts'
import { groupCommitter } from './group-committer.ts'
import { Journal } from './journal.ts'
import { journalCommitter } from './journal-committer.ts'
import { inspect, migrate } from './migrations.ts'
import { sqliteFeed, sqliteRuns } from './runs.ts'
import { soleNode } from './sole-node.ts'
import { Wakers } from './wakers.ts'
import { executeStatement } from './writes.ts'

export interface SqliteOptions {
  readonly folder: string
  /** `crash` survives a killed process, `power` also a power cut; the second waits for the disk. */
  readonly durability?: Durability
  readonly reservationMs?: number
  /** Bounds the file, so that tests can fill it. */
  readonly maxPages?: number
}

/** Opens the store in a folder of which this process is the only user. */
export async function openSqliteStore(options: SqliteOptions): Promise<Store> {
  const { durability = 'crash', reservationMs = defaultReservationMs, maxPages } = options
  const folder = takeDataFolder(options.folder)
  const opened: { close(): void }[] = []
  try {
    const { path } = folder
    if (folder.hadData) inspect(path)
    const writer = open({ path, durability, maxPages })
    migrate(writer, Date.now())
    const journal = new Journal(journalPath(options.folder))
    opened.push(journal)
    const inThread = journalCommitter(writer, journal, { plan: planCounters, reservationMs })
    const { lost } = inThread
    if (durability === 'crash') return { ...assemble(writer, inThread, folder.release), lost }
    // What a killed server left in the journal is in the database by now.
    await inThread.close()
    const committer = await groupCommitter({ path, reservationMs, maxPages })
    const reader = open({ path, durability, isReader: true })
    return { ...assemble(reader, committer, folder.release), lost }
  } catch (error) {
    for (const one of opened) one.close()
    folder.release()
    throw error
  }

  function open(how: ConstructorParameters<typeof Database>[0]): Database {
    const database = new Database(how)
    opened.push(database)
    return database
  }
}

/** The same for a thread that only reads, beside the server whose folder it is. */
export function openSqliteReader(folder: string): Store {
  const path = databasePath(folder)
  const reader = new Database({ path, durability: 'crash', isReader: true })
  return assemble(reader, readOnlyCommitter, () => {})
}

const readOnlyCommitter: Committer = {
  submit: () => Promise.reject(new Error('bug: a reader wrote')),
  settle: () => Promise.resolve(),
  close: () => Promise.resolve(),
}

function assemble(reader: Database, rawCommitter: Committer, release: () => void): Store {
  const committer = stoppingAtDamage(rawCommitter)
  const wakers = new Wakers()
  const db = typedQueries('sqlite', async (statement) => {
    if (!statement.isRead) return change(statement)
    return executeStatement(reader, statement.sql, statement.parameters)
  })
  return {
    runs: sqliteRuns({ reader, committer, lists: runLists(db), wakers }),
    feed: sqliteFeed(reader, wakers),
    definitions: definitionQueries(db),
    policies: policyQueries(db),
    spend: spendQueries('sqlite', db),
    activity: activityQueries('sqlite', db),
    approvals: approvalQueries(db),
    deliveries: deliveryQueries(db),
    tokens: tokenQueries(db),
    settings: settingQueries(db),
    notebook: notebookQueries('sqlite', db),
    sessions: sessionQueries('sqlite', db, together),
    archive: archiveQueries('sqlite', db, together),
    nodes: soleNode(db),
    counters: {
      async usage(takes, scope) {
        const keyed = takes.map((take) => ({ take, key: counterKey(scope, take) }))
        const question = { takes: keyed, now: scope.at }
        const states = reader.readTogether(() => readCounters(reader, question))
        return usageOf(states, takes, scope)
      },
    },

    async check() {
      const sql = `INSERT INTO settings (key, value) VALUES ('store.checked', '1')
        ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT)`
      await change({ sql, parameters: [], isRead: false })
    },

    settle: () => committer.settle(),

    async close() {
      wakers.clear()
      await closeBoth(committer, reader).finally(release)
    },
  }

  async function together(statements: readonly Statement[]): Promise<boolean> {
    const written = await committer.submit({ type: 'together', statements })
    return written.type === 'statement' && written.result.changes > 0
  }

  async function change(statement: Statement) {
    const written = await committer.submit({ type: 'statement', statement })
    if (written.type !== 'statement') throw new Error('bug: a statement was answered as a batch')
    return written.result
  }
}

async function closeBoth(committer: Committer, reader: Database): Promise<void> {
  await committer.close()
  reader.close()
}

/** Once damage was seen nothing more is written, so that what is left can still be saved. */
function stoppingAtDamage(committer: Committer): Committer {
  let damage: StoreFault | undefined
  return {
    async submit(write) {
      if (damage !== undefined) throw damage
      try {
        return await committer.submit(write)
      } catch (error) {
        if (error instanceof StoreFault && error.reason === 'corrupt') damage = error
        throw error
      }
    },
    settle: () => committer.settle(),
    close: () => committer.close(),
  }
}

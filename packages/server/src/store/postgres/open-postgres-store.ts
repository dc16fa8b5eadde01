import { counterKey, defaultReservationMs } from '@statewright/core/internal'
import type { CounterStore } from '../counter-store.ts'
import { usageOf } from '../counters/plan.ts'
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
import type { Store } from '../store.ts'
import { Connections, runOn } from './connections.ts'
import { type CounterRow, countersStatement, toStates } from './counter-rows.ts'
import { isConnectionLoss, postgresFault } from './faults.ts'
import { postgresFeed } from './feed.ts'
import { FeedNotices } from './feed-notices.ts'
import { migrate } from './migrations.ts'
import { postgresNodes } from './nodes.ts'
import { postgresRuns } from './runs.ts'
import { type WriteOptions, writeBatch } from './write-batch.ts'
import { WriteGroups } from './write-groups.ts'
import { writeGroup } from './write-together.ts'

export interface PostgresOptions {
  readonly databaseUrl: string
  readonly poolSize?: number
  readonly reservationMs?: number
  /** For tests. Otherwise the clock of the database counts, which all nodes share. */
  readonly clock?: () => number
}

/** Opens a store that several server nodes may share. */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const { databaseUrl, poolSize = 10, reservationMs = defaultReservationMs, clock } = options
  const connections = new Connections({ databaseUrl, poolSize })
  try {
    await migrateDatabase(connections)
  } catch (error) {
    await connections.close()
    throw postgresFault(error, connections.where)
  }
  const db = typedQueries('postgres', async ({ sql, parameters }) => {
    const result = await connections.query<object>({ text: sql, values: parameters })
    return { rows: result.rows, changes: result.rowCount ?? 0 }
  })
  const together = (statements: readonly Statement[]) => runTogether(connections, statements)
  const feed = postgresFeed(connections)
  const notices = new FeedNotices(connections)
  const groups = writeGroups(connections, { reservationMs, clock })
  return {
    runs: postgresRuns(connections, runLists(db), { reservationMs, clock, groups, notices }),
    feed,
    definitions: definitionQueries(db),
    policies: policyQueries(db),
    spend: spendQueries('postgres', db),
    activity: activityQueries('postgres', db),
    approvals: approvalQueries(db),
    deliveries: deliveryQueries(db),
    tokens: tokenQueries(db),
    settings: settingQueries(db),
    notebook: notebookQueries('postgres', db),
    sessions: sessionQueries('postgres', db, together),
    archive: archiveQueries('postgres', db, together),
    nodes: postgresNodes(connections, groups),
    counters: postgresCounters(connections, clock),

    async check() {
      await connections.query({
        text: `INSERT INTO settings (key, value) VALUES ('store.checked', '1')
          ON CONFLICT (key) DO UPDATE SET value = (settings.value::bigint + 1)::text`,
        values: [],
      })
    },

    /** Nothing is acknowledged before it is committed. */
    async settle() {},

    async close() {
      await feed.close()
      await notices.close()
      await connections.close()
    },
  }
}

function writeGroups(connections: Connections, options: WriteOptions): WriteGroups {
  return new WriteGroups({
    sendTogether: (writes) => writeGroup(connections, writes),
    sendAlone: (write, tried) => writeBatch(connections, write, options, tried),
    isDoubtful: isConnectionLoss,
  })
}

async function migrateDatabase(connections: Connections): Promise<void> {
  const client = await connections.dedicated()
  try {
    await migrate(client, connections.where)
  } finally {
    await client.end().catch(() => {})
  }
}

function postgresCounters(
  connections: Connections,
  clock: (() => number) | undefined,
): CounterStore {
  return {
    async usage(takes, scope) {
      if (takes.length === 0) return {}
      const now = clock?.() ?? null
      const keyed = takes.map((take) => ({ take, key: counterKey(scope, take) }))
      const question = countersStatement({ takes: keyed, callKey: null, now, lock: false })
      const { rows } = await connections.query<CounterRow>(question)
      return usageOf(toStates(rows, scope.at), takes, scope)
    },
  }
}

/** Statements as one transaction; when the first changes nothing, none of them counts. */
function runTogether(connections: Connections, statements: readonly Statement[]): Promise<boolean> {
  return connections.withClient(async (client) => {
    try {
      await client.query('BEGIN')
      for (const [at, { sql, parameters }] of statements.entries()) {
        const { rowCount } = await runOn(client, { text: sql, values: parameters })
        if (at === 0 && rowCount === 0) {
          await client.query('ROLLBACK')
          return false
        }
      }
      await client.query('COMMIT')
      return true
    } catch (error) {
      throw postgresFault(error, connections.where)
    }
  })
}

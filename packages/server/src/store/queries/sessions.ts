import { type AgentState, readAgentState } from '@statewright/core/internal'
import type { Selectable } from 'kysely'
import { fieldsOf, type SessionColumns } from '../rows.ts'
import type { SessionBatch, SessionRow, SessionStore, SessionSummary } from '../session-store.ts'
import type { Statement, TypedQueries } from './typed-queries.ts'

/** Carries out statements as one; when the first changes nothing, none of them counts. */
export type ExecuteTogether = (statements: readonly Statement[]) => Promise<boolean>

/** Databases bound the number of values in one statement. */
const rowsPerInsert = 500

export function sessionQueries(
  kind: 'sqlite' | 'postgres',
  db: TypedQueries,
  together: ExecuteTogether,
): SessionStore {
  return {
    async create(session) {
      await db.insertInto('sessions').values(columnsOf(session)).execute()
    },

    ...shortQueries(kind, db, together),

    append: (sessionId, batch) => together(appendStatements(kind, sessionId, batch)),

    async load(sessionId) {
      const row = await db
        .selectFrom('sessions')
        .selectAll()
        .where('session_id', '=', sessionId)
        .executeTakeFirst()
      return row && toSession(row)
    },

    async events(sessionId, { after, limit }) {
      return db
        .selectFrom('session_events')
        .select(['place', 'channel', 'body'])
        .where('session_id', '=', sessionId)
        .where('place', '>', after)
        .orderBy('place')
        .limit(limit)
        .execute()
    },

    async list({ owner, node, isLive, limit }) {
      let query = db.selectFrom('sessions').select(listed)
      if (owner !== undefined) query = query.where('owner', '=', owner)
      if (node !== undefined) query = query.where('node', '=', node)
      if (isLive === true) query = query.where('kind', '!=', 'stopped')
      const rows = await query.orderBy('place', 'desc').limit(limit).execute()
      return rows.map(toSummary)
    },
  }
}

function columnsOf(session: Parameters<SessionStore['create']>[0]) {
  const { state, createdAt } = session
  return {
    session_id: session.sessionId,
    node: session.node,
    owner: session.owner,
    role: session.role,
    harness: session.harness,
    project_path: session.projectPath,
    options: session.options,
    run_id: session.runId,
    workflow: session.workflow,
    created_at: createdAt,
    updated_at: createdAt,
    kind: state.kind,
    event_place: 0,
    message_count: 0,
    cost_micros: 0,
    state: JSON.stringify(state),
    last_error: errorText(state),
    title: null,
  }
}

/** What is asked of one session in a line: what was said in it, its name, its end. */
function shortQueries(
  kind: 'sqlite' | 'postgres',
  db: TypedQueries,
  together: ExecuteTogether,
): Pick<SessionStore, 'messages' | 'rename' | 'rebind' | 'remove'> {
  return {
    async messages(sessionId) {
      const rows = await db
        .selectFrom('session_messages')
        .select('body')
        .where('session_id', '=', sessionId)
        .orderBy('number')
        .execute()
      return rows.map(({ body }) => JSON.parse(body))
    },

    async rename(sessionId, title) {
      await db.updateTable('sessions').set({ title }).where('session_id', '=', sessionId).execute()
    },

    async rebind(sessionId, run_id) {
      await db.updateTable('sessions').set({ run_id }).where('session_id', '=', sessionId).execute()
    },

    async remove(sessionId) {
      const mark = kind === 'sqlite' ? '?' : '$1'
      await together(
        ['sessions', 'session_events', 'session_messages'].map((table) => ({
          sql: `DELETE FROM ${table} WHERE session_id = ${mark}`,
          parameters: [sessionId],
          isRead: false,
        })),
      )
    },
  }
}

const listed = [
  'session_id',
  'node',
  'owner',
  'role',
  'harness',
  'project_path',
  'run_id',
  'workflow',
  'created_at',
  'updated_at',
  'kind',
  'event_place',
  'message_count',
  'cost_micros',
  'last_error',
  'title',
] as const

/** Written by hand: this is done for every few words of a model, and building queries is slow. */
function appendStatements(
  kind: 'sqlite' | 'postgres',
  sessionId: string,
  batch: SessionBatch,
): Statement[] {
  const { after, updates, messages, state, messageCount } = batch
  const changes: [string, string | number | null][] = [
    ['event_place', updates.at(-1)?.place ?? after],
    ['message_count', messageCount + messages.length],
    ['cost_micros', batch.costMicros],
    ['updated_at', batch.updatedAt],
  ]
  if (state !== null) {
    changes.push(['kind', state.kind], ['state', JSON.stringify(state)])
    changes.push(['last_error', errorText(state)])
  }
  const mark = (at: number) => (kind === 'sqlite' ? '?' : `$${at}`)
  const sets = changes.map(([column], at) => `${column} = ${mark(at + 1)}`).join(', ')
  const count = changes.length
  const where = ['session_id', 'event_place', 'node']
    .map((column, at) => `${column} = ${mark(count + at + 1)}`)
    .join(' AND ')
  const values = [...changes.map(([, value]) => value), sessionId, after, batch.node]
  const first = { sql: `UPDATE sessions SET ${sets} WHERE ${where}`, parameters: values }
  const reported = updates.map(({ place, channel, body }) => [sessionId, place, channel, body])
  const output = messages.map((message, at) => [
    sessionId,
    messageCount + at + 1,
    JSON.stringify(message),
  ])
  const inserts = [
    ...chunks(reported).map((rows) =>
      insertRows('session_events (session_id, place, channel, body)', rows, mark),
    ),
    ...chunks(output).map((rows) =>
      insertRows('session_messages (session_id, number, body)', rows, mark),
    ),
  ]
  const answers = batch.answered.map(({ requestId, answer }) => ({
    sql: `UPDATE session_requests SET answer = ${mark(1)} WHERE request_id = ${mark(2)}`,
    parameters: [answer, requestId],
  }))
  return [first, ...inserts, ...answers].map((statement) => ({ ...statement, isRead: false }))
}

function insertRows(
  table: string,
  rows: readonly (readonly (string | number)[])[],
  mark: (at: number) => string,
) {
  let at = 0
  const tuples = rows.map((row) => `(${row.map(() => mark(++at)).join(', ')})`)
  return { sql: `INSERT INTO ${table} VALUES ${tuples.join(', ')}`, parameters: rows.flat() }
}

function chunks<Item>(items: readonly Item[]): Item[][] {
  const groups: Item[][] = []
  for (let at = 0; at < items.length; at += rowsPerInsert) {
    groups.push(items.slice(at, at + rowsPerInsert))
  }
  return groups
}

function errorText({ lastError }: AgentState): string | null {
  return lastError === null ? null : JSON.stringify(lastError)
}

function toSession(row: Selectable<SessionColumns>): SessionRow {
  const { lastError: _, ...columns } = toSummary(row)
  // Written by us from a state; nobody else writes this column.
  const state = readAgentState(JSON.parse(row.state) as AgentState)
  return { ...columns, kind: state.kind, options: row.options, state }
}

function toSummary(
  columns: Pick<Selectable<SessionColumns>, (typeof listed)[number]>,
): SessionSummary {
  const { event_place: position, last_error: fault, ...row } = columns
  return { ...fieldsOf(row), place: position, lastError: fault === null ? null : JSON.parse(fault) }
}

import type { AgentState } from '@statewright/core'
import type { Compilable, Selectable } from 'kysely'
import type { SessionColumns } from '../rows.ts'
import type { SessionRow, SessionStore } from '../session-store.ts'
import type { Statement, TypedQueries } from './typed-queries.ts'

/** Carries out statements as one; when the first changes nothing, none of them counts. */
export type ExecuteTogether = (statements: readonly Statement[]) => Promise<boolean>

/** Databases bound the number of values in one statement. */
const rowsPerInsert = 500

export function sessionQueries(db: TypedQueries, together: ExecuteTogether): SessionStore {
  return {
    async create(session) {
      const { state, createdAt } = session
      await db
        .insertInto('sessions')
        .values({
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
        })
        .execute()
    },

    async append(sessionId, batch) {
      const { after, updates, messages, state } = batch
      const place = updates.at(-1)?.place ?? after
      const first = db
        .updateTable('sessions')
        .set({
          ...(state === null ? {} : { kind: state.kind, state: JSON.stringify(state) }),
          event_place: place,
          message_count: batch.messageCount + messages.length,
          cost_micros: batch.costMicros,
          updated_at: batch.updatedAt,
        })
        .where('session_id', '=', sessionId)
        .where('event_place', '=', after)
      const events = chunks(updates).map((some) =>
        db.insertInto('session_events').values(
          some.map(({ place: at, channel, body }) => ({
            session_id: sessionId,
            place: at,
            channel,
            body,
          })),
        ),
      )
      const said = chunks(messages.map((message, at) => ({ message, at }))).map((some) =>
        db.insertInto('session_messages').values(
          some.map(({ message, at }) => ({
            session_id: sessionId,
            number: batch.messageCount + at + 1,
            body: JSON.stringify(message),
          })),
        ),
      )
      return together([first, ...events, ...said].map(statementOf))
    },

    async load(sessionId) {
      const row = await db
        .selectFrom('sessions')
        .selectAll()
        .where('session_id', '=', sessionId)
        .executeTakeFirst()
      return row && toSession(row)
    },

    async messages(sessionId) {
      const rows = await db
        .selectFrom('session_messages')
        .select('body')
        .where('session_id', '=', sessionId)
        .orderBy('number')
        .execute()
      return rows.map(({ body }) => JSON.parse(body))
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
      let query = db.selectFrom('sessions').selectAll()
      if (owner !== undefined) query = query.where('owner', '=', owner)
      if (node !== undefined) query = query.where('node', '=', node)
      if (isLive === true) query = query.where('kind', '!=', 'stopped')
      const rows = await query.orderBy('place', 'desc').limit(limit).execute()
      return rows.map(toSession)
    },
  }
}

function statementOf(query: Compilable): Statement {
  const { sql, parameters } = query.compile()
  return { sql, parameters, isRead: false }
}

function chunks<Item>(items: readonly Item[]): Item[][] {
  const parts: Item[][] = []
  for (let at = 0; at < items.length; at += rowsPerInsert) {
    parts.push(items.slice(at, at + rowsPerInsert))
  }
  return parts
}

function toSession(row: Selectable<SessionColumns>): SessionRow {
  // Written by us from a state; nobody else writes this column.
  const state = JSON.parse(row.state) as AgentState
  return {
    sessionId: row.session_id,
    node: row.node,
    owner: row.owner,
    role: row.role,
    harness: row.harness,
    projectPath: row.project_path,
    options: row.options,
    runId: row.run_id,
    workflow: row.workflow,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    kind: state.kind,
    place: row.event_place,
    messageCount: row.message_count,
    costMicros: row.cost_micros,
    state,
  }
}

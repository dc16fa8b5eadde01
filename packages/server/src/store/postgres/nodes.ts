import type {
  NodeNote,
  NodeStore,
  Orphan,
  PostedRequest,
  SharedNodes,
  Versions,
} from '../node-store.ts'
import { type Columns, fieldsOf } from '../rows.ts'
import type { Connections } from './connections.ts'
import type { WriteGroups } from './write-groups.ts'

export const nodeTables: readonly string[] = [
  `CREATE TABLE nodes (
    node text COLLATE "C" PRIMARY KEY, mark text NOT NULL, lives_until bigint NOT NULL
  )`,
  `CREATE TABLE session_requests (
    place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    request_id text COLLATE "C" NOT NULL UNIQUE, session_id text COLLATE "C" NOT NULL,
    body text NOT NULL, answer text, posted_at bigint NOT NULL
  )`,
]

/** What nodes tell each other, each for its time. */
export const noteTables: readonly string[] = [
  `CREATE TABLE node_notes (
    topic text COLLATE "C" NOT NULL, key text COLLATE "C" NOT NULL, body text NOT NULL,
    noted_at bigint NOT NULL, forgotten_at bigint NOT NULL, PRIMARY KEY (topic, key)
  )`,
  'CREATE INDEX node_notes_by_end ON node_notes (forgotten_at)',
]

type OrphanColumns = Columns<Orphan>
type PostedColumns = Columns<PostedRequest>

/** The clock that all nodes share. */
const now = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'
/** Long after anybody waits for an answer or could mistake a node for a living one. */
const forgottenMs = 24 * 60 * 60 * 1000

/** Nodes that share a database: who lives, who has which session, and what they ask of others. */
export function postgresNodes(connections: Connections, groups: WriteGroups): NodeStore {
  const run = runner(connections)
  return {
    async orphans(node, limit) {
      const { rows } = await run<OrphanColumns>(
        'orphans',
        `SELECT session_id, node, harness, project_path, mark
          FROM sessions LEFT JOIN nodes USING (node)
          WHERE kind <> 'stopped' AND node <> $1 AND coalesce(lives_until, 0) < ${now}
          ORDER BY place LIMIT $2`,
        [node, limit],
      )
      return rows.map(fieldsOf)
    },

    async claim(sessionId, from, to) {
      const { rowCount } = await run(
        'claim',
        `UPDATE sessions SET node = $3 WHERE session_id = $1 AND node = $2
          AND NOT EXISTS (SELECT 1 FROM nodes WHERE nodes.node = $2 AND lives_until >= ${now})`,
        [sessionId, from, to],
      )
      return (rowCount ?? 0) > 0
    },

    shared: { ...lives(run, groups), ...notes(run), ...requests(run) },
  }
}

type Run = ReturnType<typeof runner>

function runner(connections: Connections) {
  return <Row extends object>(name: string, text: string, values: readonly unknown[]) =>
    connections.query<Row>({ name: `statewright_${name}`, text, values })
}

type Lives = Pick<SharedNodes, 'versions' | 'renew' | 'leave' | 'positions'>

function lives(run: Run, groups: WriteGroups): Lives {
  return {
    async versions() {
      const look = run<Versions>(
        'versions',
        `SELECT policy_epoch.epoch AS rules, bond_epoch.epoch AS bonds
          FROM policy_epoch, bond_epoch`,
        [],
      )
      const { rows } = await groups.afterLook(look)
      const [now] = rows
      if (now === undefined) throw new Error('bug: the database has no versions')
      return now
    },

    async renew(node, mark, ms) {
      const { rows } = await run<{ others: number }>(
        'renew',
        `WITH renewed AS (
            INSERT INTO nodes (node, mark, lives_until) VALUES ($1, $2, ${now} + $3)
            ON CONFLICT (node) DO UPDATE SET lives_until = excluded.lives_until
          ), forgotten AS (
            DELETE FROM nodes WHERE lives_until < ${now} - ${forgottenMs}
          )
          SELECT count(*) AS others FROM nodes WHERE node <> $1 AND lives_until >= ${now}`,
        [node, mark, ms],
      )
      return rows[0]?.others ?? 0
    },

    async leave(node) {
      await run('leave', 'UPDATE nodes SET lives_until = 0 WHERE node = $1', [node])
    },

    async positions(sessionIds) {
      const { rows } = await run<{ session_id: string; event_place: number }>(
        'positions',
        'SELECT session_id, event_place FROM sessions WHERE session_id = ANY($1)',
        [sessionIds],
      )
      return new Map(rows.map((row) => [row.session_id, row.event_place]))
    },
  }
}

type Notes = Pick<SharedNodes, 'note' | 'notes' | 'dropNote'>

function notes(run: Run): Notes {
  return {
    async note({ topic, key, body }, ms) {
      await run(
        'note',
        `WITH forgotten AS (DELETE FROM node_notes WHERE forgotten_at < ${now})
          INSERT INTO node_notes (topic, key, body, noted_at, forgotten_at)
            VALUES ($1, $2, $3, ${now}, ${now} + $4)
          ON CONFLICT (topic, key) DO UPDATE SET body = excluded.body,
            noted_at = excluded.noted_at, forgotten_at = excluded.forgotten_at`,
        [topic, key, body, ms],
      )
    },

    async notes(topic) {
      const { rows } = await run<Columns<NodeNote> & { age_ms: number }>(
        'notes',
        `SELECT topic, key, body, ${now} - noted_at AS age_ms FROM node_notes
          WHERE topic = $1 AND forgotten_at >= ${now} ORDER BY noted_at, key`,
        [topic],
      )
      return rows.map(fieldsOf)
    },

    async dropNote({ topic, key }) {
      await run('drop_note', 'DELETE FROM node_notes WHERE topic = $1 AND key = $2', [topic, key])
    },
  }
}

function requests(run: Run): Omit<SharedNodes, keyof Lives | keyof Notes> {
  return {
    async post({ requestId, sessionId, body }) {
      await run(
        'post',
        `WITH forgotten AS (
            DELETE FROM session_requests WHERE posted_at < ${now} - ${forgottenMs}
          )
          INSERT INTO session_requests (request_id, session_id, body, posted_at)
            VALUES ($1, $2, $3, ${now})`,
        [requestId, sessionId, body],
      )
    },

    async posted(node, limit) {
      const { rows } = await run<PostedColumns>(
        'posted',
        `SELECT request_id, session_id, body FROM session_requests
          JOIN sessions USING (session_id)
          WHERE answer IS NULL AND node = $1 ORDER BY session_requests.place LIMIT $2`,
        [node, limit],
      )
      return rows.map(fieldsOf)
    },

    async answer({ requestId, answer }) {
      await run(
        'answer',
        'UPDATE session_requests SET answer = $2 WHERE request_id = $1 AND answer IS NULL',
        [requestId, answer],
      )
    },

    async takeAnswer(requestId) {
      const { rows } = await run<{ answer: string }>(
        'take_answer',
        `DELETE FROM session_requests WHERE request_id = $1 AND answer IS NOT NULL
          RETURNING answer`,
        [requestId],
      )
      return rows[0]?.answer
    },

    async withdraw(requestId) {
      await run('withdraw', 'DELETE FROM session_requests WHERE request_id = $1', [requestId])
    },
  }
}

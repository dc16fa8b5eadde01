/** How the two databases spell the same tables. */
export interface Spelling {
  /** Text that sorts by code point on both. */
  readonly text: string
  readonly int: string
  /** A number that the database gives to each new row, in growing order. */
  readonly place: string
  /** Column that orders late commits; only where several writers commit at once. */
  readonly commitOrder: string
  readonly end: string
  /** Whether an entry names a cost: few do, so that an index of them stays small. */
  readonly hasCost: string
}

/**
 * The tables of schema 1, in one text so that the two databases cannot drift apart. Values are
 * text and integers only: JSON stays text, since a database would change the order of its keys.
 */
export function firstTables(spelling: Spelling): readonly string[] {
  return [...runTables(spelling), ...standaloneTables(spelling), ...counterTables(spelling)]
}

/** The tables of schema 2: policies that stand on their own, and a quick way to what had a cost. */
export function policyTables({ text, int, end, hasCost }: Spelling): readonly string[] {
  return [
    `CREATE TABLE policies (
      name ${text} NOT NULL, version ${int} NOT NULL, project ${text}, body ${text} NOT NULL,
      saved_by ${text} NOT NULL, saved_at ${int} NOT NULL, created_at ${int} NOT NULL,
      removed ${int} NOT NULL,
      PRIMARY KEY (name, version)
    ) ${end}`,
    `CREATE INDEX entries_with_cost ON entries (place) WHERE ${hasCost}`,
  ]
}

/** One number, which each database raises itself with every change to a policy (PO-1d). */
export function policyEpochTable({ int, end }: Spelling): readonly string[] {
  return [
    `CREATE TABLE policy_epoch (epoch ${int} NOT NULL) ${end}`,
    'INSERT INTO policy_epoch VALUES (1)',
  ]
}

function runTables({ text, int, place, commitOrder, end }: Spelling): readonly string[] {
  return [
    `CREATE TABLE runs (
      place ${place},
      run_id ${text} NOT NULL UNIQUE,
      workflow ${text} NOT NULL, kind ${text} NOT NULL, hash ${text} NOT NULL, version ${int},
      project ${text}, workspace ${text}, session ${text},
      owner ${text} NOT NULL, role ${text} NOT NULL, client ${text},
      locked ${int} NOT NULL, created_at ${int} NOT NULL,
      status ${text} NOT NULL, state ${text} NOT NULL,
      seq ${int} NOT NULL, chain ${text} NOT NULL, updated_at ${int} NOT NULL,
      calls ${int} NOT NULL, denials ${int} NOT NULL, transitions ${int} NOT NULL,
      cost_micros ${int} NOT NULL
    ) ${end}`,
    'CREATE INDEX runs_by_status ON runs (status, place)',
    'CREATE INDEX runs_by_workflow ON runs (workflow, place)',
    'CREATE INDEX runs_by_project ON runs (project, place)',
    'CREATE INDEX runs_by_session ON runs (session, place)',
    'CREATE INDEX runs_by_owner ON runs (owner, place)',
    // No (run_id, seq) can be written twice: the last guard against two writers of one run.
    `CREATE TABLE entries (
      place ${place},
      run_id ${text} NOT NULL, seq ${int} NOT NULL,
      hash ${text} NOT NULL, call_id ${text}, entry ${text} NOT NULL${commitOrder},
      UNIQUE (run_id, seq)
    ) ${end}`,
    'CREATE INDEX entries_by_call ON entries (run_id, call_id) WHERE call_id IS NOT NULL',
    `CREATE TABLE snapshots (
      run_id ${text} NOT NULL PRIMARY KEY, seq ${int} NOT NULL, body ${text} NOT NULL
    ) ${end}`,
    `CREATE TABLE blobs (
      run_id ${text} NOT NULL, call_id ${text} NOT NULL, what ${text} NOT NULL,
      hash ${text} NOT NULL, body ${text} NOT NULL,
      PRIMARY KEY (run_id, call_id, what)
    ) ${end}`,
    `CREATE TABLE approvals (
      place ${place},
      approval_id ${text} NOT NULL UNIQUE, run_id ${text} NOT NULL,
      kind ${text} NOT NULL, message ${text} NOT NULL,
      opened_at ${int} NOT NULL, expires_at ${int}, details ${text} NOT NULL,
      status ${text} NOT NULL, resolved_at ${int}, resolved_by ${text}, note ${text}
    ) ${end}`,
    'CREATE INDEX approvals_by_status ON approvals (status, place)',
    'CREATE INDEX approvals_by_run ON approvals (run_id, place)',
    `CREATE INDEX approvals_to_expire ON approvals (expires_at) WHERE status = 'waiting'`,
  ]
}

/** What stands on its own: definitions, tokens, settings, memory and tasks. */
function standaloneTables({ text, int, place, end }: Spelling): readonly string[] {
  return [
    `CREATE TABLE definitions (
      name ${text} NOT NULL, version ${int} NOT NULL, kind ${text} NOT NULL,
      hash ${text} NOT NULL, body ${text} NOT NULL,
      saved_by ${text} NOT NULL, saved_at ${int} NOT NULL, created_at ${int} NOT NULL,
      draft ${int} NOT NULL, removed ${int} NOT NULL,
      PRIMARY KEY (name, version)
    ) ${end}`,
    `CREATE TABLE programs (hash ${text} NOT NULL PRIMARY KEY, body ${text} NOT NULL) ${end}`,
    `CREATE TABLE tokens (
      place ${place},
      token_id ${text} NOT NULL UNIQUE, kind ${text} NOT NULL, role ${text} NOT NULL,
      name ${text} NOT NULL, hash ${text} NOT NULL UNIQUE,
      created_at ${int} NOT NULL, created_by ${text} NOT NULL, expires_at ${int}, revoked_at ${int}
    ) ${end}`,
    `CREATE TABLE settings (key ${text} NOT NULL PRIMARY KEY, value ${text} NOT NULL) ${end}`,
    `CREATE TABLE memories (
      project ${text} NOT NULL, key ${text} NOT NULL, value ${text} NOT NULL,
      tags ${text} NOT NULL, folded ${text} NOT NULL, updated_at ${int} NOT NULL,
      PRIMARY KEY (project, key)
    ) ${end}`,
    `CREATE TABLE tasks (
      place ${place},
      project ${text} NOT NULL, task_id ${text} NOT NULL,
      title ${text} NOT NULL, body ${text} NOT NULL, status ${text} NOT NULL,
      tags ${text} NOT NULL, priority ${int} NOT NULL, claimed_by ${text},
      created_at ${int} NOT NULL, updated_at ${int} NOT NULL,
      UNIQUE (project, task_id)
    ) ${end}`,
    'CREATE INDEX tasks_by_status ON tasks (project, status, priority)',
  ]
}

function counterTables({ text, int, end }: Spelling): readonly string[] {
  return [
    // A rate has a last number and time, a budget its period and value; the row is also what
    // writers lock.
    `CREATE TABLE counters (
      key ${text} NOT NULL PRIMARY KEY, last_number ${int} NOT NULL, last_at ${int} NOT NULL,
      period ${text}, budget ${text}
    ) ${end}`,
    `CREATE TABLE rate_calls (
      key ${text} NOT NULL, at ${int} NOT NULL, number ${int} NOT NULL,
      PRIMARY KEY (key, at, number)
    ) ${end}`,
    `CREATE TABLE reservations (
      call_key ${text} NOT NULL, key ${text} NOT NULL, expires_at ${int} NOT NULL,
      PRIMARY KEY (call_key, key)
    ) ${end}`,
    'CREATE INDEX reservations_to_expire ON reservations (expires_at)',
  ]
}

/** What lists show of a session beside its other columns: they never read a whole state. */
export function sessionErrors({ text }: Spelling): readonly string[] {
  return [`ALTER TABLE sessions ADD COLUMN last_error ${text}`]
}

/** What people call a session. */
export function sessionTitles({ text }: Spelling): readonly string[] {
  return [`ALTER TABLE sessions ADD COLUMN title ${text}`]
}

/** What lists show of runs that were not held: calls that only passed, and pauses of agents. */
export function runMarks({ int }: Spelling): readonly string[] {
  return [
    `ALTER TABLE runs ADD COLUMN passed ${int} NOT NULL DEFAULT 0`,
    `ALTER TABLE runs ADD COLUMN unguarded ${int} NOT NULL DEFAULT 0`,
  ]
}

/** What was answered last, however long before it was asked. */
export const resolvedApprovals: readonly string[] = [
  `CREATE INDEX approvals_by_answer ON approvals (resolved_at, place)
    WHERE resolved_at IS NOT NULL`,
]

/** Whose login a token is, and what one of a service may do without a person. */
export function tokenPeople({ text }: Spelling): readonly string[] {
  return [
    `ALTER TABLE tokens ADD COLUMN person ${text}`,
    `ALTER TABLE tokens ADD COLUMN verbs ${text}`,
  ]
}

/** The tables of schema 5: who was told of which approval. */
export function deliveryTables({ text, int, end }: Spelling): readonly string[] {
  return [
    `CREATE TABLE deliveries (
      approval_id ${text} NOT NULL, channel ${text} NOT NULL,
      tries ${int} NOT NULL, next_at ${int} NOT NULL, finished_at ${int},
      PRIMARY KEY (approval_id, channel)
    ) ${end}`,
  ]
}

/** Whose a run is beside its owner's: the agent it was handed to, the connection that loaded it. */
export function runBonds({ text }: Spelling): readonly string[] {
  return [
    `ALTER TABLE runs ADD COLUMN agent ${text}`,
    `ALTER TABLE runs ADD COLUMN connection ${text}`,
    'CREATE INDEX runs_by_agent ON runs (agent, place) WHERE agent IS NOT NULL',
    'CREATE INDEX runs_by_connection ON runs (connection, place) WHERE connection IS NOT NULL',
  ]
}

/** What of which run lies in the archive, and a quick way to runs that ended. */
export function archiveTables({ text, int, end }: Spelling): readonly string[] {
  return [
    `CREATE TABLE archived_runs (
      run_id ${text} NOT NULL PRIMARY KEY, seq ${int} NOT NULL, chain ${text} NOT NULL,
      archived_at ${int} NOT NULL, node ${text} NOT NULL, file ${text} NOT NULL,
      cleared ${int} NOT NULL
    ) ${end}`,
    'CREATE INDEX archived_runs_to_clear ON archived_runs (run_id) WHERE cleared = 0',
    `CREATE INDEX runs_by_end ON runs (updated_at, run_id)
      WHERE status IN ('completed', 'failed', 'stopped')`,
  ]
}

/** What was spent by runs whose entries are in the archive. */
export function archivedSpend({ text, int, end }: Spelling): readonly string[] {
  return [
    `CREATE TABLE archived_spend (
      run_id ${text} NOT NULL, hour ${int} NOT NULL, cost_micros ${int} NOT NULL,
      PRIMARY KEY (run_id, hour)
    ) ${end}`,
    'CREATE INDEX archived_spend_by_hour ON archived_spend (hour)',
  ]
}

/** As queries spell it that are to be answered by these indexes. */
export const unfinishedText = `status IN ('running', 'waiting', 'paused', 'blocked')`

/** A quick way to the few runs that go on, among very many that ended. */
export const unfinishedRuns: readonly string[] = [
  `CREATE INDEX runs_unfinished ON runs (place) WHERE ${unfinishedText}`,
  `CREATE INDEX runs_unfinished_by_owner ON runs (owner, place) WHERE ${unfinishedText}`,
  `CREATE INDEX runs_unfinished_by_agent ON runs (agent, place)
    WHERE agent IS NOT NULL AND ${unfinishedText}`,
]

/** Runs that people started: the ids of their tokens begin so. */
export const personsText = `owner >= 'person' AND owner < 'persoo'`

/** A quick way to what a person started last, among very many runs of a workflow. */
export const runsOfPeople: readonly string[] = [
  `CREATE INDEX runs_of_people ON runs (workflow, created_at, place)
    WHERE ${personsText}`,
]

/** Agent sessions: how each stands, what was told of it, and what was said in it. */
export function sessionTables({ text, int, place, end }: Spelling): readonly string[] {
  return [
    `CREATE TABLE sessions (
      place ${place},
      session_id ${text} NOT NULL UNIQUE, node ${text} NOT NULL,
      owner ${text} NOT NULL, role ${text} NOT NULL,
      harness ${text} NOT NULL, project_path ${text} NOT NULL, options ${text} NOT NULL,
      run_id ${text}, workflow ${text},
      created_at ${int} NOT NULL, updated_at ${int} NOT NULL, kind ${text} NOT NULL,
      event_place ${int} NOT NULL, message_count ${int} NOT NULL, cost_micros ${int} NOT NULL,
      state ${text} NOT NULL
    ) ${end}`,
    'CREATE INDEX sessions_by_owner ON sessions (owner, place)',
    'CREATE INDEX sessions_by_node ON sessions (node, kind)',
    `CREATE TABLE session_events (
      session_id ${text} NOT NULL, place ${int} NOT NULL,
      channel ${text} NOT NULL, body ${text} NOT NULL,
      PRIMARY KEY (session_id, place)
    ) ${end}`,
    `CREATE TABLE session_messages (
      session_id ${text} NOT NULL, number ${int} NOT NULL, body ${text} NOT NULL,
      PRIMARY KEY (session_id, number)
    ) ${end}`,
  ]
}

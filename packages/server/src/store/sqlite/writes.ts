import { keysOf } from '../counters/keys.ts'
import type { CounterWrites, PlanCounters } from '../counters/plan.ts'
import { type EncodedBatch, touchesCounters } from '../encode.ts'
import type { Statement, StatementResult } from '../queries/typed-queries.ts'
import type { Committed, NewRun } from '../store.ts'
import { readCounters, writeCounters } from './counter-rows.ts'
import type { Database } from './database.ts'
import { feedPosition } from './feed-position.ts'

/** Everything that changes the database, as plain data that can be sent to another thread. */
export type Write =
  | { readonly type: 'create'; readonly run: NewRun; readonly batch: EncodedBatch }
  | { readonly type: 'append'; readonly runId: string; readonly batch: EncodedBatch }
  | { readonly type: 'statement'; readonly statement: Statement }
  /** When the first changes nothing, none of them counts. */
  | { readonly type: 'together'; readonly statements: readonly Statement[] }

export type WriteResult =
  | { readonly type: 'batch'; readonly committed: Committed }
  | { readonly type: 'statement'; readonly result: StatementResult }

/** How counters are taken. The functions are handed in, since loading them takes a while. */
export interface CounterRules {
  readonly plan: PlanCounters
  readonly reservationMs: number
}

export function needsCounterRules(write: Write): boolean {
  return (write.type === 'create' || write.type === 'append') && touchesCounters(write.batch)
}

/**
 * Carries out one write inside a transaction of the caller. A conflict is found before the first
 * row changes: several writes may share the transaction, and none may undo another.
 */
export function perform(db: Database, write: Write, rules: CounterRules | undefined): WriteResult {
  switch (write.type) {
    case 'create':
    case 'append':
      return { type: 'batch', committed: writeBatch(db, write, rules) }
    case 'statement': {
      const { sql, parameters } = write.statement
      return { type: 'statement', result: executeStatement(db, sql, parameters) }
    }
    case 'together':
      return { type: 'statement', result: executeTogether(db, write.statements) }
    default: {
      const never: never = write
      throw new Error(`bug: unexpected ${JSON.stringify(never)}`)
    }
  }
}

export function isStored(written: WriteResult): boolean {
  return written.type === 'statement' || written.committed.kind === 'committed'
}

const conflict: Committed = { kind: 'conflict' }

function writeBatch(
  db: Database,
  write: Extract<Write, { readonly batch: EncodedBatch }>,
  rules: CounterRules | undefined,
): Committed {
  const { batch } = write
  const runId = write.type === 'create' ? write.run.runId : write.runId
  const counters = touchesCounters(batch) ? counterWrites(db, runId, batch, rules) : null
  if (counters === undefined) return conflict
  const stands =
    write.type === 'create' ? insertRun(db, write.run, batch) : moveRun(db, runId, batch)
  if (!stands) return conflict
  if (batch.marks !== undefined) {
    const { passed, unguarded } = batch.marks
    const sql = 'UPDATE runs SET passed = ?, unguarded = ? WHERE run_id = ?'
    db.run(sql, passed, unguarded ? 1 : 0, runId)
  }
  const feedAt = insertEntries(db, runId, batch)
  if (batch.snapshot !== null) {
    db.run(
      'INSERT OR REPLACE INTO snapshots (run_id, seq, body) VALUES (?, ?, ?)',
      runId,
      batch.lastSeq,
      batch.snapshot,
    )
  }
  writeApprovals(db, batch)
  if (counters !== null) writeCounters(db, counters)
  for (const { callId, what, hash, text } of batch.blobs) {
    db.run('INSERT OR REPLACE INTO blobs VALUES (?, ?, ?, ?, ?)', runId, callId, what, hash, text)
  }
  return { kind: 'committed', feedAt }
}

function counterWrites(
  db: Database,
  runId: string,
  batch: EncodedBatch,
  rules: CounterRules | undefined,
): CounterWrites | undefined {
  if (rules === undefined) throw new Error('bug: counters are taken before their rules are there')
  const { takes, settles, charges } = batch
  const states = readCounters(db, {
    takes: keysOf(batch),
    now: takes?.at ?? settles?.at ?? charges?.at ?? 0,
    settles: settles && { runId, of: settles },
  })
  const { reservationMs } = rules
  return rules.plan(states, { runId, takes, settles, charges, reservationMs })
}

function insertRun(db: Database, run: NewRun, batch: EncodedBatch): boolean {
  const { row } = batch
  if (batch.policyEpoch !== null) throw new Error('bug: a run begins by no policy')
  const changes = db.run(
    `INSERT INTO runs (run_id, workflow, kind, hash, version, project, workspace, session, owner,
      role, client, locked, created_at, status, state, seq, chain, updated_at, calls, denials,
      transitions, cost_micros)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (run_id) DO NOTHING`,
    run.runId,
    run.workflow,
    run.kind,
    run.hash,
    run.version,
    run.project,
    run.workspace,
    run.session,
    run.owner,
    run.role,
    run.client,
    run.locked ? 1 : 0,
    run.createdAt,
    row.status,
    row.state,
    batch.lastSeq,
    batch.chain,
    row.updatedAt,
    row.calls,
    row.denials,
    row.transitions,
    row.costMicros,
  )
  return changes === 1
}

/**
 * Moves the run on if it still stands where the batch was decided, and the policies by which it was
 * decided still hold (PO-1d). Naming the status makes SQLite write its index again even where it
 * stays the same, which it does with nearly every call.
 */
function moveRun(db: Database, runId: string, batch: EncodedBatch): boolean {
  const { row } = batch
  const facts = [
    row.state,
    batch.lastSeq,
    batch.chain,
    row.updatedAt,
    row.calls,
    row.denials,
    row.transitions,
    row.costMicros,
  ] as const
  const { move, moveToStatus } = batch.policyEpoch === null ? moves : movesByPolicies
  const epoch = batch.policyEpoch === null ? [] : [batch.policyEpoch]
  const position = [runId, batch.afterSeq, ...epoch] as const
  return (
    db.run(move, ...facts, ...position, row.status) === 1 ||
    db.run(moveToStatus, ...facts, row.status, ...position) === 1
  )
}

const moves = moveStatements('run_id = ? AND seq = ?')
const movesByPolicies = moveStatements(
  'run_id = ? AND seq = ? AND EXISTS (SELECT 1 FROM policy_epoch WHERE epoch = ?)',
)

/** Put together once: a statement is looked up by its text with every call. */
function moveStatements(where: string) {
  const facts = `UPDATE runs SET state = ?, seq = ?, chain = ?, updated_at = ?, calls = ?,
    denials = ?, transitions = ?, cost_micros = ?`
  return {
    move: `${facts} WHERE ${where} AND status = ?`,
    moveToStatus: `${facts}, status = ? WHERE ${where}`,
  }
}

function insertEntries(db: Database, runId: string, { entries }: EncodedBatch): string {
  let position = 0
  for (const { seq, hash, callId, entry } of entries) {
    position = db.insert(
      'INSERT INTO entries (run_id, seq, hash, call_id, entry) VALUES (?, ?, ?, ?, ?)',
      runId,
      seq,
      hash,
      callId,
      entry,
    )
  }
  return feedPosition(position)
}

/** The first verdict on an approval stands. */
function writeApprovals(db: Database, { opened, closed }: EncodedBatch): void {
  for (const one of opened) {
    db.run(
      `INSERT INTO approvals (approval_id, run_id, kind, message, opened_at, expires_at, details,
        status) VALUES (?, ?, ?, ?, ?, ?, ?, 'waiting')`,
      one.approvalId,
      one.runId,
      one.kind,
      one.message,
      one.openedAt,
      one.expiresAt,
      one.details,
    )
  }
  for (const one of closed) {
    db.run(
      `UPDATE approvals SET status = ?, resolved_at = ?, resolved_by = ?, note = ?
        WHERE approval_id = ? AND status = 'waiting'`,
      one.verdict,
      one.at,
      one.by,
      one.note,
      one.approvalId,
    )
  }
}

/** The first says whether the ground is still the same; nothing was changed before it. */
function executeTogether(db: Database, statements: readonly Statement[]): StatementResult {
  let first: StatementResult = { rows: [], changes: 0 }
  for (const [at, { sql, parameters }] of statements.entries()) {
    const result = executeStatement(db, sql, parameters)
    if (at === 0) first = result
    if (first.changes === 0) break
  }
  return first
}

/** A statement that changes rows and may give some back. */
export function executeStatement(
  db: Database,
  sql: string,
  parameters: readonly unknown[],
): StatementResult {
  const values = parameters.map(toInput)
  if (/\breturning\b/i.test(sql) || /^\s*select\b/i.test(sql)) {
    const rows = db.all<object>(sql, ...values)
    return { rows, changes: rows.length }
  }
  return { rows: [], changes: db.run(sql, ...values) }
}

function toInput(value: unknown): string | number | bigint | null {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value
  if (typeof value === 'bigint') return value
  throw new Error(`bug: a query binds ${typeof value}`)
}

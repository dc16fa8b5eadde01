import { setTimeout as sleep } from 'node:timers/promises'
import { callKeyOf } from '@statewright/core/internal'
import type { PoolClient } from 'pg'
import { keysOf } from '../counters/keys.ts'
import { type CounterWrites, planCounters } from '../counters/plan.ts'
import { type EncodedBatch, touchesCounters } from '../encode.ts'
import { storableJson } from '../storable-text.ts'
import type { Committed, NewRun } from '../store.ts'
import { type Connections, type NamedStatement, runOn } from './connections.ts'
import { type CounterRow, counterFields, countersStatement, toStates } from './counter-rows.ts'
import { isConnectionLoss, isLostRace, postgresFault } from './faults.ts'

export interface BatchWrite {
  readonly runId: string
  /** The run to be created; null when it exists. */
  readonly run: NewRun | null
  readonly batch: EncodedBatch
}

export interface WriteOptions {
  readonly reservationMs: number
  /** Set by tests; otherwise the clock of the database counts. */
  readonly clock: (() => number) | undefined
}

const conflict: Committed = { kind: 'conflict' }

/** How long an append whose connection broke looks for its outcome before it is refused. */
const resolveMs = 5000

/** Whether a batch can share its statement with others, as that of nearly every call can. */
export function canShare({ run, batch }: BatchWrite): boolean {
  const { marks, opened, closed } = batch
  const hasMore = marks !== undefined || opened.length + closed.length > 0
  return run === null && !hasMore && !touchesCounters(batch)
}

/**
 * Makes a batch durable. When the connection breaks meanwhile, nobody knows whether it was
 * committed: the entry's own hash tells, so it is looked for before an answer is given.
 */
export async function writeBatch(
  connections: Connections,
  write: BatchWrite,
  options: WriteOptions,
  { wasTried = false } = {},
): Promise<Committed> {
  let isDoubtful = wasTried
  for (let tries = 0; ; tries++) {
    try {
      if (wasTried && tries === 0) {
        const written = await findOutcome(connections, write)
        if (written !== undefined) return written
      }
      const committed = await connections.withClient((client) =>
        touchesCounters(write.batch)
          ? writeWithCounters(client, write, options)
          : writeAlone(client, write),
      )
      if (committed.kind === 'committed' || !isDoubtful) return committed
      // The one in the way may be our own first try, which came through after all.
      return (await findWritten(connections, write)) ?? conflict
    } catch (error) {
      if (isLostRace(error)) return conflict
      if (!isConnectionLoss(error)) throw postgresFault(error, connections.where)
      isDoubtful = true
      const written = await findOutcome(connections, write)
      if (written !== undefined) return written
      if (tries > 0) throw postgresFault(error, connections.where)
    }
  }
}

async function writeAlone(client: PoolClient, write: BatchWrite): Promise<Committed> {
  const { rows } = await runOn<WrittenRow>(client, writeStatement(write, undefined))
  return toCommitted(rows[0]?.feed_at)
}

/** Two round trips: the counters are locked and read, then everything is written. */
async function writeWithCounters(
  client: PoolClient,
  write: BatchWrite,
  { reservationMs, clock }: WriteOptions,
): Promise<Committed> {
  const { runId, batch } = write
  const { takes, settles, charges } = batch
  const question = countersStatement({
    takes: keysOf(batch),
    callKey: settles === undefined ? null : callKeyOf(runId, settles.callId),
    now: clock?.() ?? null,
    lock: true,
  })
  const [, read] = await Promise.all([client.query('BEGIN'), runOn<CounterRow>(client, question)])
  const states = toStates(read.rows, takes?.at ?? settles?.at ?? charges?.at ?? 0)
  const counters = planCounters(states, { runId, takes, settles, charges, reservationMs })
  if (counters === undefined) {
    await client.query('ROLLBACK')
    return conflict
  }
  // A conflict has written nothing, so it may be committed like anything else.
  const [written] = await Promise.all([
    runOn<WrittenRow>(client, writeStatement(write, counters)),
    client.query('COMMIT'),
  ])
  return toCommitted(written.rows[0]?.feed_at)
}

interface WrittenRow {
  readonly feed_at: string | null
}

function toCommitted(feedAt: string | null | undefined): Committed {
  return feedAt == null ? conflict : { kind: 'committed', feedAt }
}

function writeStatement(write: BatchWrite, counters: CounterWrites | undefined): NamedStatement {
  const { runId, run, batch } = write
  const { row, entries, policyEpoch, marks } = batch
  const fields = `$1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18`
  const epoch = policyEpoch === null ? [] : [policyEpoch]
  const [plain, name] =
    policyEpoch === null
      ? [`statewright_write(${fields})`, 'statewright_write']
      : [`statewright_decide(${fields}, $19)`, 'statewright_decide']
  const next = 19 + epoch.length
  const marked = `statewright_marked(${plain}, $2, $${next}, $${next + 1})`
  return {
    name: marks === undefined ? name : `${name}_marked`,
    text: `SELECT ${marks === undefined ? plain : marked} AS feed_at`,
    values: [
      run === null ? null : storableJson(runFields(run)),
      runId,
      batch.afterSeq,
      batch.lastSeq,
      batch.chain,
      row.status,
      row.state,
      row.updatedAt,
      row.calls,
      row.denials,
      row.transitions,
      row.costMicros,
      entries.map((one) => one.seq),
      entries.map((one) => one.hash),
      entries.map((one) => one.callId),
      entries.map((one) => one.entry),
      batch.snapshot,
      moreFields(batch, counters),
      ...epoch,
      ...(marks === undefined ? [] : [marks.passed, marks.unguarded ? 1 : 0]),
    ],
  }
}

function runFields(run: NewRun): object {
  const { workflow, kind, hash, version, project, workspace, session, owner, role, client } = run
  return {
    workflow,
    kind,
    hash,
    version,
    project,
    workspace,
    session,
    owner,
    role,
    client,
    locked: run.locked ? 1 : 0,
    created_at: run.createdAt,
  }
}

/** Null for the common batch, which holds nothing but entries. */
function moreFields(batch: EncodedBatch, counters: CounterWrites | undefined): string | null {
  const { opened, closed, blobs } = batch
  if (counters === undefined && opened.length + closed.length + blobs.length === 0) return null
  return storableJson({
    ...(opened.length === 0 ? {} : { opened: opened.map(approvalFields) }),
    ...(closed.length === 0
      ? {}
      : { closed: closed.map((one) => ({ ...one, approval_id: one.approvalId })) }),
    ...(blobs.length === 0 ? {} : { blobs: blobs.map(blobFields) }),
    ...(counters === undefined ? {} : counterFields(counters)),
  })
}

function approvalFields(one: EncodedBatch['opened'][number]): object {
  const { approvalId, runId, kind, message, openedAt, expiresAt, details } = one
  return {
    approval_id: approvalId,
    run_id: runId,
    ...{ kind, message, opened_at: openedAt, expires_at: expiresAt, details },
  }
}

function blobFields({ callId, what, hash, text }: EncodedBatch['blobs'][number]): object {
  return { call_id: callId, what, hash, body: text }
}

/** Looks for the batch until the database answers, or for as long as a caller may wait. */
async function findOutcome(
  connections: Connections,
  write: BatchWrite,
): Promise<Committed | undefined> {
  const deadline = performance.now() + resolveMs
  for (;;) {
    try {
      return await findWritten(connections, write)
    } catch (error) {
      if (performance.now() > deadline) throw error
      await sleep(100)
    }
  }
}

async function findWritten(
  connections: Connections,
  { runId, batch }: BatchWrite,
): Promise<Committed | undefined> {
  const { rows } = await connections.query<{ feed_at: string }>({
    text: `SELECT statewright_place(xid, place) AS feed_at FROM entries
      WHERE run_id = $1 AND seq = $2 AND hash = $3`,
    values: [runId, batch.lastSeq, batch.chain],
  })
  const feedAt = rows[0]?.feed_at
  return feedAt === undefined ? undefined : { kind: 'committed', feedAt }
}

import type { EncodedBatch } from '../encode.ts'
import type { Committed } from '../store.ts'
import { bigintArray, textArray } from './binary-arrays.ts'
import type { Connections } from './connections.ts'
import { epochLock } from './policy-epoch.ts'
import type { BatchWrite } from './write-batch.ts'

/**
 * Which rules hold, asked under the lock that whoever changes them takes alone. A function has a
 * look of its own at the database: the statement around it may have begun before a change that it
 * waited for.
 */
export const ruleFunctions: readonly string[] = [
  `CREATE FUNCTION statewright_rules() RETURNS bigint LANGUAGE plpgsql AS $body$
  BEGIN
    PERFORM pg_advisory_xact_lock_shared(${epochLock});
    RETURN (SELECT epoch FROM policy_epoch);
  END
  $body$`,
]

/**
 * Batches of different runs, durable together and each for itself committed or in conflict. Rows of
 * runs are locked in the order of their ids, so that two nodes never wait for each other. The rest
 * follows the rows that were moved: a batch in conflict has none.
 */
const text = `WITH asked AS MATERIALIZED (
    SELECT one.* FROM (SELECT statewright_rules() AS epoch OFFSET 0) AS rules
    JOIN unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::text[],
      $7::text[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[],
      $13::text[]) WITH ORDINALITY AS one (run_id, epoch, after, last, chain, status, state,
      updated_at, calls, denials, transitions, cost_micros, snapshot, number)
    ON one.epoch IS NULL OR one.epoch = rules.epoch
  ), locked AS MATERIALIZED (
    SELECT asked.* FROM asked JOIN runs ON runs.run_id = asked.run_id
    ORDER BY runs.run_id FOR NO KEY UPDATE OF runs
  ), moved AS (
    UPDATE runs SET status = new.status, state = new.state, seq = new.last, chain = new.chain,
      updated_at = new.updated_at, calls = new.calls, denials = new.denials,
      transitions = new.transitions, cost_micros = new.cost_micros
    FROM locked AS new WHERE runs.run_id = new.run_id AND runs.seq = new.after
    RETURNING new.number, new.run_id, new.last, new.snapshot
  ), added AS (
    INSERT INTO entries (run_id, seq, hash, call_id, entry)
    SELECT moved.run_id, new.seq, new.hash, new.call_id, new.entry
    FROM unnest($14::bigint[], $15::bigint[], $16::text[], $17::text[], $18::text[])
      AS new (number, seq, hash, call_id, entry)
    JOIN moved USING (number) ORDER BY number, new.seq
    RETURNING run_id, xid, place
  ), inputs AS (
    INSERT INTO blobs (run_id, call_id, what, hash, body)
    SELECT moved.run_id, new.call_id, new.what, new.hash, new.body
    FROM unnest($19::bigint[], $20::text[], $21::text[], $22::text[], $23::text[])
      AS new (number, call_id, what, hash, body)
    JOIN moved USING (number)
    ON CONFLICT (run_id, call_id, what) DO UPDATE SET hash = excluded.hash, body = excluded.body
  ), stands AS (
    INSERT INTO snapshots (run_id, seq, body)
    SELECT run_id, last, snapshot FROM moved WHERE snapshot IS NOT NULL
    ON CONFLICT (run_id) DO UPDATE SET seq = excluded.seq, body = excluded.body
  )
  SELECT run_id, statewright_place(xid, place) AS feed_at FROM added`

const name = 'statewright_decide_all'

interface WrittenRow {
  readonly run_id: string
  readonly feed_at: string
}

/** One statement is one transaction. Where it fails it has written nothing, or nobody knows. */
export async function writeGroup(
  connections: Connections,
  writes: readonly BatchWrite[],
): Promise<readonly Committed[]> {
  const values = valuesOf(writes)
  const rows = await connections.withClient(async (client) => {
    return (await client.query<WrittenRow>({ name, text, values })).rows
  })
  const positions = new Map<string, string>()
  for (const { run_id: runId, feed_at: feedAt } of rows) {
    // Of several entries the last one counts; positions sort as text.
    if (feedAt > (positions.get(runId) ?? '')) positions.set(runId, feedAt)
  }
  return writes.map(({ runId }): Committed => {
    const feedAt = positions.get(runId)
    return feedAt === undefined ? { kind: 'conflict' } : { kind: 'committed', feedAt }
  })
}

function valuesOf(writes: readonly BatchWrite[]): readonly Buffer[] {
  const batches = writes.map(({ batch }) => batch)
  const rows = batches.map(({ row }) => row)
  const entries = numbered(batches, (batch) => batch.entries)
  const blobs = numbered(batches, (batch) => batch.blobs)
  return [
    textArray(writes.map(({ runId }) => runId)),
    bigintArray(batches.map(({ policyEpoch }) => policyEpoch)),
    bigintArray(batches.map(({ afterSeq }) => afterSeq)),
    bigintArray(batches.map(({ lastSeq }) => lastSeq)),
    textArray(batches.map(({ chain }) => chain)),
    textArray(rows.map(({ status }) => status)),
    textArray(rows.map(({ state }) => state)),
    bigintArray(rows.map(({ updatedAt }) => updatedAt)),
    bigintArray(rows.map(({ calls }) => calls)),
    bigintArray(rows.map(({ denials }) => denials)),
    bigintArray(rows.map(({ transitions }) => transitions)),
    bigintArray(rows.map(({ costMicros }) => costMicros)),
    textArray(batches.map(({ snapshot }) => snapshot)),
    bigintArray(entries.map(({ number }) => number)),
    bigintArray(entries.map(({ one }) => one.seq)),
    textArray(entries.map(({ one }) => one.hash)),
    textArray(entries.map(({ one }) => one.callId)),
    textArray(entries.map(({ one }) => one.entry)),
    bigintArray(blobs.map(({ number }) => number)),
    textArray(blobs.map(({ one }) => one.callId)),
    textArray(blobs.map(({ one }) => one.what)),
    textArray(blobs.map(({ one }) => one.hash)),
    textArray(blobs.map(({ one }) => one.text)),
  ]
}

/** What several batches hold, with the number of the batch, counted as Postgres counts. */
function numbered<One>(
  batches: readonly EncodedBatch[],
  of: (batch: EncodedBatch) => readonly One[],
): readonly { readonly number: number; readonly one: One }[] {
  return batches.flatMap((batch, at) => of(batch).map((one) => ({ number: at + 1, one })))
}

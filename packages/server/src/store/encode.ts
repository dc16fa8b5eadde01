import type { ChainedEntry, RunStatus } from '@statewright/core/internal'
import type { CounterCharges, CounterSettles, CounterTakes } from './counter-store.ts'
import type { RunMarks } from './run-marks.ts'
import type { Batch, Blob, ClosedApproval } from './store.ts'

/**
 * A batch as text and numbers: the form that is bound to statements, and that passes to another
 * thread without copying deep objects.
 */
export interface EncodedBatch {
  readonly afterSeq: number
  readonly lastSeq: number
  readonly chain: string
  readonly entries: readonly EncodedEntry[]
  readonly snapshot: string | null
  readonly row: {
    readonly status: RunStatus
    readonly state: string
    readonly updatedAt: number
    readonly calls: number
    readonly denials: number
    readonly transitions: number
    readonly costMicros: number
  }
  readonly marks: RunMarks | undefined
  readonly opened: readonly EncodedApproval[]
  readonly closed: readonly ClosedApproval[]
  readonly takes: CounterTakes | undefined
  readonly settles: CounterSettles | undefined
  readonly charges: CounterCharges | undefined
  readonly policyEpoch: number | null
  readonly blobs: readonly Blob[]
}

export interface EncodedEntry {
  readonly seq: number
  readonly hash: string
  readonly callId: string | null
  readonly entry: string
}

export interface EncodedApproval {
  readonly approvalId: string
  readonly runId: string
  readonly kind: string
  readonly message: string
  readonly openedAt: number
  readonly expiresAt: number | null
  readonly details: string
}

export function encodeBatch(batch: Batch): EncodedBatch {
  const { afterSeq, row, marks, opened, closed, takes, settles, blobs } = batch
  const entries = batch.entries.map(encodeEntry)
  const last = entries.at(-1)
  // A gap in the numbers would break the chain for good, so it must not reach the database.
  if (last === undefined || entries.some(({ seq }, index) => seq !== afterSeq + index + 1)) {
    throw new Error(`bug: a batch has entries numbered from ${afterSeq + 1} on`)
  }
  return {
    afterSeq,
    lastSeq: last.seq,
    chain: last.hash,
    entries,
    snapshot: batch.snapshot === undefined ? null : JSON.stringify(batch.snapshot),
    row,
    marks,
    opened: (opened ?? []).map((one) => ({ ...one, details: JSON.stringify(one.details) })),
    closed: closed ?? [],
    takes,
    settles,
    charges: batch.charges,
    policyEpoch: batch.policyEpoch ?? null,
    blobs: blobs ?? [],
  }
}

function encodeEntry({ seq, hash, entry }: ChainedEntry): EncodedEntry {
  const callId = entry.type === 'call_decided' ? entry.call_id : null
  return { seq, hash, callId, entry: JSON.stringify(entry) }
}

/** Whether a batch touches rates or budgets at all: most do not, and then nothing is locked. */
export function touchesCounters({ takes, settles, charges }: EncodedBatch): boolean {
  const isTaken = takes !== undefined && takes.takes.length > 0
  return isTaken || settles !== undefined || charges !== undefined
}

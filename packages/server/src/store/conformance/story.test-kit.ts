import { createHash, randomUUID } from 'node:crypto'
import type { RunSnapshot } from '@statewright/core/internal'
import { type ChainedEntry, chainEntries, chainStart, type Entry } from '@statewright/core/internal'
import type { Batch, NewRun, Store } from '../store.ts'

export interface OpenedStore {
  readonly store: Store
  /** Opens the same data once more, after the store was closed. */
  reopen(): Promise<Store>
  /** Set the time that counters go by, where the store has a clock of its own. */
  setClock(now: number): void
}

export type OpenForTest = () => Promise<OpenedStore>

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

export function newRun(fields: Partial<NewRun> = {}): NewRun {
  return {
    runId: `run_${randomUUID()}`,
    workflow: 'deploy',
    kind: 'workflow',
    hash: 'a'.repeat(64),
    version: 1,
    project: '/home/ada/shop',
    workspace: '/home/ada/shop',
    session: 'tok_1:session-1',
    owner: 'tok_1',
    role: 'agent',
    client: 'claude-code',
    locked: false,
    createdAt: 1_000,
    ...fields,
  }
}

export function notice(text: string, at = 1_000): Entry {
  return { type: 'notice', text, at }
}

export function decided(callId: string, at = 1_000): Entry {
  return {
    type: 'call_decided',
    call_id: callId,
    tool: 'Bash',
    state: 'plan',
    decision: 'allow',
    reasons: [],
    at,
  }
}

export const emptySnapshot: RunSnapshot = {
  status: 'running',
  settings: { strict: false, locked: false },
  main: { frames: [], approval: null },
  fork: null,
  transitionCount: 0,
  visits: 1,
  calls: [],
  asks: [],
  resolved: [],
  lastBranches: [],
  costMicros: 0,
  mailsSent: 0,
}

export const plainRow: Batch['row'] = {
  status: 'running',
  state: 'plan',
  updatedAt: 1_000,
  calls: 0,
  denials: 0,
  transitions: 0,
  costMicros: 0,
}

/** What of a row no batch has to say. */
export const unmarked = { passed: 0, unguarded: false, agent: null, connection: null }

/** Writes a run's history step by step, as the runtime will. */
export class Writer {
  readonly runId: string
  readonly entries: ChainedEntry[] = []

  constructor(runId: string) {
    this.runId = runId
  }

  /** The next batch after what was kept so far; `keep` it when the store has committed it. */
  batch(entries: readonly Entry[], more: Partial<Batch> = {}): Batch {
    const last = this.entries.at(-1)
    const previous = { seq: last?.seq ?? 0, hash: last?.hash ?? chainStart(this.runId) }
    const chained = chainEntries(previous, entries, sha256)
    return { afterSeq: previous.seq, entries: chained, row: plainRow, ...more }
  }

  keep(batch: Batch): void {
    this.entries.push(...batch.entries)
  }
}

/** A run that exists, with a writer that stands at its end. */
export async function startedRun(
  store: Store,
  fields: Partial<NewRun> = {},
): Promise<{ readonly run: NewRun; readonly writer: Writer }> {
  const run = newRun(fields)
  const writer = new Writer(run.runId)
  const first = writer.batch([notice('started')])
  await store.runs.create(run, first)
  writer.keep(first)
  return { run, writer }
}

/** Appends and keeps; anything but a commit is a failure of the test. */
export async function append(
  store: Store,
  writer: Writer,
  entries: readonly Entry[],
  more: Partial<Batch> = {},
): Promise<string> {
  const batch = writer.batch(entries, more)
  const committed = await store.runs.append(writer.runId, batch)
  if (committed.kind !== 'committed') throw new Error('the batch was a conflict')
  writer.keep(batch)
  return committed.feedAt
}

/** What may stand in a name or text that an agent chose. */
export const hostileTexts: readonly string[] = [
  `Robert'); DROP TABLE runs;--`,
  'nul \u0000 within',
  'half \ud800 a pair',
  'other \udc00 half',
  'mark \u001a0000 itself',
  'quotes " \' ` \\ and \\u0000 spelt out',
  '\u202eright to left\u202c and zero\u200bwidth',
  '🏳️‍🌈 e\u0301 \uffff',
  '__proto__',
  '%_*?',
  Array.from({ length: 30_000 }, (_, n) => sha256(String(n)).slice(0, 4)).join(''),
]

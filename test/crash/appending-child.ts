// Appends to several runs at once until it is killed, and tells each commit only afterwards.
import { createHash } from 'node:crypto'
import { writeSync } from 'node:fs'
import {
  type ChainedEntry,
  chainEntries,
  chainStart,
  type RunSnapshot,
} from '@statewright/core/internal'
import { openSqliteStore } from '../../packages/server/src/store/sqlite/open-sqlite-store.ts'
import type { Batch, Store } from '../../packages/server/src/store/store.ts'
import { crashRate, emptySnapshot, runIds } from './crash-story.ts'

const [folder = '', durability] = process.argv.slice(2)
const store = await openSqliteStore({
  folder,
  durability: durability === 'power' ? 'power' : 'crash',
})
writeSync(1, 'open\n')
await Promise.all(runIds.map((runId) => appendForEver(store, runId)))

async function appendForEver(store: Store, runId: string): Promise<never> {
  const loaded = await store.runs.load(runId)
  let last = { seq: loaded?.row.seq ?? 0, hash: loaded?.row.chain ?? chainStart(runId) }
  for (;;) {
    const batch = nextBatch(last)
    const { kind } =
      last.seq === 0
        ? await store.runs.create(newRun(runId), batch)
        : await store.runs.append(runId, batch)
    if (kind !== 'committed') throw new Error(`conflict after ${runId} ${last.seq}`)
    last = batch.entries.at(-1) ?? last
    writeSync(1, `${runId} ${last.seq} ${last.hash}\n`)
    // Lets the other runs in between; one that never waits would starve them.
    await new Promise((resolve) => setImmediate(resolve))
  }
}

function nextBatch(last: { readonly seq: number; readonly hash: string }): Batch {
  const text = 'x'.repeat((last.seq * 137) % 3000)
  const entries: ChainedEntry[] = chainEntries(
    last,
    [{ type: 'notice', text, at: Date.now() }],
    sha256,
  )
  const seq = last.seq + 1
  return {
    afterSeq: last.seq,
    entries,
    // The snapshot names its own place, so that one from another commit is told apart.
    ...(seq % 5 === 0 ? { snapshot: snapshotAt(seq) } : {}),
    row: {
      status: 'running',
      state: 'plan',
      updatedAt: Date.now(),
      calls: seq,
      denials: 0,
      transitions: 0,
      costMicros: 0,
    },
    takes: {
      callId: `call ${seq}`,
      role: 'agent',
      session: '',
      capability: 'bash',
      at: Date.now(),
      takes: [crashRate],
    },
    blobs: [{ hash: 'h', callId: `call ${seq}`, what: 'input', text }],
  }
}

function snapshotAt(seq: number): RunSnapshot {
  return { ...emptySnapshot, visits: seq }
}

function newRun(runId: string) {
  return {
    runId,
    workflow: 'deploy',
    kind: 'workflow',
    hash: 'h',
    version: null,
    project: null,
    workspace: null,
    session: null,
    owner: 'tok_1',
    role: 'agent',
    client: null,
    locked: false,
    createdAt: 0,
  } as const
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

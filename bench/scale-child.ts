import type { ChainedEntry, Entry } from '@statewright/core/internal'
import { newRun, startRuntime } from './runtime-kit.ts'

/** Fills a store with live runs that have histories, and names a thousand of them. */
const [folder = '', runText = '0', entryText = '0'] = process.argv.slice(2)
const [runs, entries] = [Number(runText), Number(entryText)]
const perRun = Math.max(1, Math.round(entries / runs))
const { runtime, close } = await startRuntime(folder, 'crash')
const sample: string[] = []
let number = 0

for (let index = 0; index < runs; index++) {
  const runId = await newRun(runtime)
  if (index % Math.ceil(runs / 1000) === 0) sample.push(runId)
  await fill(runId)
  runtime.live.drop(runId)
}
process.stdout.write(`${JSON.stringify({ sample })}\n`)
await close()

/** Entries as calls leave them, with the snapshot that the runtime would have written behind. */
async function fill(runId: string): Promise<void> {
  const live = await runtime.live.get(runId)
  if (live === undefined) throw new Error('the run is gone')
  const { row, snapshot } = live
  const made = Array.from({ length: perRun }, (_, at) => link(row.seq + at + 1))
  const last = made.at(-1)
  const batch = { afterSeq: row.seq, entries: made, snapshot, row: { ...row, calls: perRun } }
  const written = await runtime.store.runs.append(runId, batch)
  if (written.kind !== 'committed' || last === undefined) throw new Error('it was a conflict')
}

/** Chains are not what is measured: the hash is as long as one, and no more. */
function link(seq: number): ChainedEntry {
  number += 1
  return { seq, hash: number.toString(16).padStart(64, '0'), entry: decided(number) }
}

function decided(at: number): Entry {
  return {
    type: 'call_decided',
    call_id: `toolu_${at.toString(36).padStart(20, '0')}`,
    tool: 'Read',
    state: 'working',
    decision: 'allow',
    reasons: [],
    at: 1_790_000_000_000 + at,
  }
}

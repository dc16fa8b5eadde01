import { chainEntries, type Entry } from '@statewright/core/internal'
import { sha256 } from '../packages/server/src/runtime/dispatch.ts'
import type { Runtime } from '../packages/server/src/runtime/runtime.ts'
import { type BenchResult, quantile } from './measure.ts'
import { type BenchRuntime, caller, check, newRun, startRuntime } from './runtime-kit.ts'
import { elapsedMs, temporaryFolder } from './server-kit.ts'

const many = Number(process.env.SW_BENCH_ENTRIES ?? 1_000_000)
const few = 1000
const perRun = 10_000
const perBatch = 1000

/** A decision with a million entries stored, against the same with a thousand. */
export async function benchHistory(): Promise<BenchResult> {
  const folders = [temporaryFolder(), temporaryFolder()] as const
  const large = await startRuntime(folders[0].path, 'crash')
  const small = await startRuntime(folders[1].path, 'crash')
  try {
    await fill(large.runtime, many)
    await fill(small.runtime, few)
    const largeRun = await newRun(large.runtime)
    const smallRun = await newRun(small.runtime)
    await timed(large, largeRun, 300, 'warm')
    await timed(small, smallRun, 300, 'warm')
    const ours: number[] = []
    const theirs: number[] = []
    for (let round = 0; round < 20; round++) {
      ours.push(...(await timed(large, largeRun, 100, `r${round}`)))
      theirs.push(...(await timed(small, smallRun, 100, `r${round}`)))
    }
    const value = quantile(ours, 0.5)
    const baseline = quantile(theirs, 0.5)
    return {
      name: 'history',
      value: value * 1000,
      unit: 'µs (median)',
      baseline: baseline * 1000,
      against: `${few} entries instead of ${many}`,
      ratio: value / baseline,
      target: '<= 1.2',
    }
  } finally {
    await Promise.all([large.close(), small.close()])
    for (const folder of folders) folder.remove()
  }
}

async function timed(
  { guard }: BenchRuntime,
  run: string,
  count: number,
  label: string,
): Promise<number[]> {
  const times: number[] = []
  for (let index = 0; index < count; index++) {
    const started = process.hrtime.bigint()
    const input = { file_path: 'src/index.ts' }
    await check(guard, caller, { run, tool: 'Read', input, callId: `${label}-${index}` })
    times.push(elapsedMs(started))
  }
  return times
}

/** Fills the store through its own door, with notices in large batches. */
async function fill(runtime: Runtime, count: number): Promise<void> {
  for (let written = 0; written < count; written += perRun) {
    const runId = await newRun(runtime)
    let live = await runtime.live.get(runId)
    for (let batch = 0; batch < Math.min(perRun, count) / perBatch; batch++) {
      if (live === undefined) throw new Error('the run is gone')
      const { row } = live
      const made = chainEntries({ seq: row.seq, hash: row.chain }, notices(), sha256)
      const last = made[made.length - 1]
      await runtime.store.runs.append(runId, { afterSeq: row.seq, entries: made, row })
      live = { ...live, row: { ...row, seq: last?.seq ?? 0, chain: last?.hash ?? '' } }
    }
    runtime.live.drop(runId)
  }
}

function notices(): Entry[] {
  const by = { kind: 'system', id: 'bench' } as const
  const text = 'a notice of about the length of an ordinary entry, so that pages fill as they would'
  return Array.from({ length: perBatch }, (_, at) => ({
    type: 'notice',
    text,
    at,
    cause: { type: 'noted', entry: 'notice', at, by, text },
  }))
}

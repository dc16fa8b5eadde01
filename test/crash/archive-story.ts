import { readFileSync } from 'node:fs'
import { verifyArchive } from '../../packages/server/src/archive/verify-archive.ts'
import { finishCall } from '../../packages/server/src/guard/finish-call.ts'
import { createGuard } from '../../packages/server/src/guard/guard.ts'
import { createRuntime } from '../../packages/server/src/runtime/create-runtime.ts'
import { changeRun } from '../../packages/server/src/runtime/runs/change-run.ts'
import { defaultSettings } from '../../packages/server/src/runtime/settings.ts'
import type { HourOfSpend, Store } from '../../packages/server/src/store/store.ts'
import { check } from '../../packages/server/testing/adapters.ts'
import { agent, ann, save, start } from '../../packages/server/testing/runtime.ts'

export const archiveKeepMs = 86_400_000
/** When the runs end, and a time at which all of them are due. */
const endedAt = Date.UTC(2026, 0, 1)
export const dueAt = endedAt + 30 * archiveKeepMs

const definition = {
  id: 'archived',
  initial: 'work',
  states: { work: { allowed_tools: ['Read'], on: { DONE: 'done' } }, done: { type: 'final' } },
  meta: { capture_output: true },
}

/** What the runs are made of, each thing by a name of its own. */
export interface ArchivedStory {
  readonly runs: readonly string[]
  readonly entries: ReadonlyMap<string, number>
  readonly values: ReadonlySet<string>
  readonly spent: readonly HourOfSpend[]
}

/** Runs that ended, each with more calls than the archive takes at a time, and one that goes on. */
export async function endedRuns(
  store: Store,
  count: number,
  calls: number,
): Promise<ArchivedStory> {
  let [now, ids] = [endedAt, 0]
  const clock = { now: () => now, newId: (prefix: string) => `${prefix}_${++ids}` }
  const runtime = createRuntime({ store, clock, settings: defaultSettings })
  const guard = createGuard({ runtime })
  await save(runtime, definition)
  const runs: string[] = []
  for (let index = 0; index < count; index++) {
    const run = await start(runtime, agent, { workflow: definition.id })
    for (let call = 0; call < calls; call++) {
      now += 60_000
      const callId = `${run}-${call}`
      const input = { file_path: `/srv/${callId}` }
      await check(guard, agent, { run, callId, tool: 'Read', input })
      const outcome = { bytes: 1, exit: 'success', source: 'reported' } as const
      const more = { costMicros: 1 + call, output: `output of ${callId}` }
      await finishCall(runtime, agent, { run, callId, ...outcome, ...more })
    }
    await changeRun(runtime, ann, { run }, (_live, facts) => ({ ...facts, type: 'stopped' }))
    runs.push(run)
  }
  await start(runtime, ann, { workflow: definition.id })
  return { runs, ...(await storedStory(store, runs)), spent: await spentOf(store) }
}

async function storedStory(store: Store, runs: readonly string[]) {
  const entries = new Map<string, number>()
  const values = new Set<string>()
  for (const run of runs) {
    const stored = await store.runs.entries(run, { after: 0, limit: 100_000 })
    entries.set(run, stored.length)
    for (const { entry } of stored) {
      if (entry.type !== 'call_decided') continue
      const kept = await store.runs.blobsOfCall(run, entry.call_id)
      for (const { what } of kept) values.add(`${entry.call_id} ${what}`)
    }
  }
  return { entries, values }
}

function spentOf(store: Store): Promise<readonly HourOfSpend[]> {
  return store.spend.byHour({ from: 0, to: dueAt })
}

/**
 * What is wrong in the middle, in words: an entry must be in the store or in a file that the store
 * knows of and that is whole.
 */
export async function halfwayFaults(
  store: Store,
  folders: readonly string[],
  story: ArchivedStory,
): Promise<string[]> {
  const faults: string[] = []
  const verified = new Map(verifyArchive(folders).map((one) => [one.runId, one]))
  for (const run of story.runs) {
    const stored = await store.runs.entries(run, { after: 0, limit: 100_000 })
    const archived = await store.archive.get(run)
    const count = story.entries.get(run) ?? 0
    if (archived === undefined && stored.length !== count) {
      faults.push(`${run}: ${stored.length} of ${count} entries, and no archive`)
    }
    if (archived !== undefined && verified.get(run)?.entries !== count) {
      faults.push(`${run}: ${JSON.stringify(verified.get(run))} instead of ${count} entries`)
    }
  }
  for (const one of verified.values()) if (!one.ok) faults.push(JSON.stringify(one))
  const spent = await spentOf(store)
  if (JSON.stringify(spent) !== JSON.stringify(story.spent))
    faults.push('costs were lost or doubled')
  return faults
}

/** What is wrong at the end: all of it is in the files once, and no longer in the store. */
export async function endFaults(
  store: Store,
  folders: readonly string[],
  story: ArchivedStory,
): Promise<string[]> {
  const faults = await halfwayFaults(store, folders, story)
  const verified = verifyArchive(folders)
  if (verified.length !== story.runs.length) faults.push(`${verified.length} runs are archived`)
  const values: string[] = []
  for (const { runId, files } of verified) {
    if (files.length > folders.length) faults.push(`${runId} has ${files.length} files`)
    const file = (await store.archive.get(runId))?.file
    if (file !== undefined) values.push(...valuesOf(file))
    const left = await store.runs.entries(runId, { after: 0, limit: 1 })
    if (left.length > 0) faults.push(`${runId} has entries left in the store`)
  }
  if (values.length !== story.values.size || values.some((one) => !story.values.has(one))) {
    faults.push(`${values.length} inputs and outputs instead of ${story.values.size}`)
  }
  for (const name of story.values) {
    const [callId = ''] = name.split(' ')
    const [run = ''] = callId.split('-')
    if ((await store.runs.blobsOfCall(run, callId)).length > 0) faults.push(`${name} is left`)
  }
  if ((await store.archive.unfinished(1)).length > 0) faults.push('something is half removed')
  return faults
}

function valuesOf(file: string): string[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.flatMap((line) => {
    // Our own lines: a file is verified before.
    const { blob } = (line === '' ? {} : JSON.parse(line)) as { blob?: Record<string, string> }
    return blob === undefined ? [] : [`${blob.callId} ${blob.what}`]
  })
}

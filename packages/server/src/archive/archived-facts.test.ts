import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { check } from '../../testing/adapters.ts'
import { agent, ann, openRuntime, type RuntimeWorld, save, start } from '../../testing/runtime.ts'
import { finishCall } from '../guard/finish-call.ts'
import { transition } from '../runtime/runs/change-run.ts'
import { verifyRun } from '../runtime/runs/read-run.ts'
import type { Store } from '../store/store.ts'
import { Archiver } from './archiver.ts'
import { verifyArchive } from './verify-archive.ts'

const dayMs = 86_400_000
let now = Date.UTC(2026, 0, 2)
let ids = 0
/** What happens once while the archive is removing what its file has. */
let meanwhile: (() => Promise<unknown>) | undefined
let world: RuntimeWorld
let folder: string

const clock = { now: () => now, newId: (prefix: string) => `${prefix}_${++ids}` }
const paid = { allow: [{ capability: 'Read', budget_limit: { max_usd: 1, period: 'monthly' } }] }
const work = {
  initial: 'work',
  states: { work: { allowed_tools: ['Read'], on: { DONE: 'done' } }, done: { type: 'final' } },
}

function interrupted(store: Store): Store {
  const { archive } = store
  const removeEntries: typeof archive.removeEntries = async (part) => {
    const now = meanwhile
    meanwhile = undefined
    await now?.()
    return archive.removeEntries(part)
  }
  return { ...store, archive: { ...archive, removeEntries } }
}

beforeAll(async () => {
  world = await openRuntime({ clock, settings: { keepMs: 7 * dayMs }, wrapStore: interrupted })
  folder = join(world.folder, 'archive')
  await save(world.runtime, { id: 'keeping', meta: { capture_output: true }, ...work })
  await save(world.runtime, { id: 'paying', policy: paid, ...work })
  await save(world.runtime, { id: 'beside', ...work })
})
afterAll(() => world.close())

async function pass(): Promise<number> {
  const fail = (why: unknown) => {
    throw new Error(String(why))
  }
  const quiet = { onArchived: () => {}, onBroken: fail, onFault: fail }
  const archiver = new Archiver(world.runtime, { folder, node: 'n1', ...quiet })
  try {
    return await archiver.pass()
  } finally {
    await archiver.close()
  }
}

const read = (run: string, callId: string) =>
  check(world.guard, agent, { run, callId, tool: 'Read', input: { file_path: '/srv/a' } })

const finish = (run: string, callId: string, more: { output?: string; costMicros?: number }) =>
  finishCall(world.runtime, agent, {
    run,
    callId,
    bytes: 1,
    exit: 'success',
    source: 'reported',
    ...more,
  })

async function end(run: string): Promise<void> {
  expect((await transition(world.runtime, agent, { run, event: 'DONE' })).ok).toBe(true)
}

/** So that the run is due and not the one with the newest entry of all. */
async function daysLater(days: number): Promise<void> {
  now += days * dayMs
  await start(world.runtime, ann, { workflow: 'beside' })
}

const archivedText = (run: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.includes(run))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('')

describe('what hangs on an archived history', () => {
  test('AR-3: an output that comes while its run is archived is archived later', async () => {
    const run = await start(world.runtime, agent, { workflow: 'keeping' })
    await read(run, 'late')
    await end(run)
    await daysLater(8)
    meanwhile = () => finish(run, 'late', { output: 'came late' })
    expect(await pass()).toBe(1)
    const kept = await world.store.runs.blobsOfCall(run, 'late')
    expect(kept).toMatchObject([{ what: 'output', text: '"came late"' }])
    await daysLater(8)
    expect(await pass()).toBeGreaterThan(0)
    expect(await world.store.runs.blobsOfCall(run, 'late')).toEqual([])
    const text = archivedText(run)
    expect(text.match(/"what":"output"/g)).toHaveLength(1)
    expect(text.match(/"what":"input"/g)).toHaveLength(1)
    expect(verifyArchive([folder]).filter(({ ok }) => !ok)).toEqual([])
    expect(await verifyRun(world.runtime, run)).toMatchObject({ ok: true })
  })

  test('AR-2, PO-6: a budget knows what was spent longer ago than histories are kept', async () => {
    const run = await start(world.runtime, agent, { workflow: 'paying' })
    expect((await read(run, 'dear')).decision).toBe('allow')
    await finish(run, 'dear', { costMicros: 1_000_000 })
    await end(run)
    const spent = () => world.store.spend.byHour({ from: 0, to: now + dayMs })
    const before = await spent()
    expect(before.reduce((sum, { costMicros }) => sum + costMicros, 0)).toBe(1_000_000)
    now = Date.UTC(2026, 0, 30)
    await start(world.runtime, ann, { workflow: 'beside' })
    expect(await pass()).toBeGreaterThan(0)
    const again = await start(world.runtime, agent, { workflow: 'paying' })
    expect((await read(again, 'more')).code).toBe('budget_exceeded')
    expect(await spent()).toEqual(before)
    const seenBy = agent.tokenId
    const page = { from: 0, to: now + dayMs }
    expect(await world.store.spend.byHour({ ...page, seenBy })).toEqual(before)
    expect(await world.store.spend.byHour({ ...page, seenBy: 'stranger' })).toEqual([])
    now = Date.UTC(2026, 1, 1)
    expect((await read(again, 'next month')).decision).toBe('allow')
  })
})

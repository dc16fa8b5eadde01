import { chainEntries } from '@statewright/core/internal'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { check } from '../../../testing/adapters.ts'
import {
  agent,
  openRuntime,
  planThenWrite,
  type RuntimeWorld,
  save,
  start,
} from '../../../testing/runtime.ts'
import { sha256 } from '../dispatch.ts'
import { allEntries, verifyRun } from './read-run.ts'

let world: RuntimeWorld
beforeAll(async () => {
  world = await openRuntime()
  await save(world.runtime, planThenWrite)
})
afterAll(() => world.close())

const read = { tool: 'Read', input: { file_path: '/x' } }

test('WF-9: a run that goes on while it is verified is no broken one', async () => {
  const run = await start(world.runtime, agent, { workflow: 'plan-then-write' })
  let isOver = false
  const calls = (async () => {
    for (let round = 0; round < 100; round++) await check(world.guard, agent, { run, ...read })
    isOver = true
  })()
  let verified = 0
  while (!isOver) {
    expect(await verifyRun(world.runtime, run)).toMatchObject({ ok: true })
    verified += 1
  }
  await calls
  expect(verified).toBeGreaterThan(2)
})

test('WF-9: a run that is written to between two reads is no broken one', async () => {
  const run = await start(world.runtime, agent, { workflow: 'plan-then-write' })
  const { runs } = world.runtime.store
  // As after a crash: the gap is noted just when the run was loaded.
  const entries: typeof runs.entries = async (...given) => {
    await check(world.guard, agent, { run, ...read })
    return runs.entries(...given)
  }
  const store = { ...world.runtime.store, runs: { ...runs, entries } }
  expect(await verifyRun({ ...world.runtime, store }, run)).toMatchObject({ ok: true })
})

test('WF-9: an entry that the run itself knows nothing of is found', async () => {
  const run = await start(world.runtime, agent, { workflow: 'plan-then-write' })
  await check(world.guard, agent, { run, ...read })
  const { runs } = world.runtime.store
  const [first, last] = await allEntries(world.runtime, run)
  if (first === undefined || last === undefined) throw new Error('two entries were made')
  const forged = chainEntries({ seq: last.seq, hash: last.hash }, [last.entry], sha256)
  const entries: typeof runs.entries = async (id, page) => {
    const found = await runs.entries(id, page)
    const more = forged.map((one) => ({ ...last, ...one }))
    return page.after === 0 ? [...found, ...more] : found
  }
  const store = { ...world.runtime.store, runs: { ...runs, entries } }
  expect(await verifyRun({ ...world.runtime, store }, run)).toMatchObject({ ok: false })
})

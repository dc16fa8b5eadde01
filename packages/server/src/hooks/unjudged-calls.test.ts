import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { check } from '../../testing/adapters.ts'
import {
  agent,
  ann,
  openRuntime,
  planThenWrite,
  type RuntimeWorld,
  save,
  start,
} from '../../testing/runtime.ts'
import { addUnjudged, liftUnjudged, readUnjudged } from '../runtime/blocks/unjudged.ts'

let world: RuntimeWorld
let runId: string

beforeEach(async () => {
  world = await openRuntime({ settings: { strict: true } })
  await save(world.runtime, planThenWrite)
  runId = await start(world.runtime, ann, { workflow: 'plan-then-write', session: 's' })
})
afterEach(() => world.close())

const read = () =>
  check(world.guard, agent, { session: 's', tool: 'Read', input: { file_path: '/x' } })

describe('a call that nobody judged', () => {
  test('is counted, and named for its run', async () => {
    await addUnjudged(world.runtime, { runId, count: 2, text: 'Bash (t1), Bash (t2)' })
    await addUnjudged(world.runtime, { runId: 'run_other', count: 1, text: 'Bash (t3)' })
    const { count, last, runs } = await readUnjudged(world.runtime.store)
    expect(count).toBe(3)
    expect(last).toMatchObject({ run_id: 'run_other', text: 'Bash (t3)' })
    expect(runs[runId]).toMatchObject({ count: 2, blocks: true })
  })

  test('holds its run in strict mode until a person has looked', async () => {
    expect((await read()).decision).toBe('allow')
    await addUnjudged(world.runtime, { runId, count: 1, text: 'Bash (t1)' })
    expect(await read()).toMatchObject({ decision: 'deny', code: 'unjudged_call' })
    expect(await liftUnjudged(world.runtime, runId)).toBe(true)
    expect((await read()).decision).toBe('allow')
    // The count stays: what happened has happened.
    expect((await readUnjudged(world.runtime.store)).count).toBe(1)
    expect(await liftUnjudged(world.runtime, runId)).toBe(false)
  })

  test('is only written down outside strict mode', async () => {
    const lax = await openRuntime()
    await save(lax.runtime, planThenWrite)
    const id = await start(lax.runtime, agent, { workflow: 'plan-then-write', session: 's' })
    await addUnjudged(lax.runtime, { runId: id, count: 1, text: 'Bash (t1)' })
    const request = { session: 's', tool: 'Read', input: { file_path: '/x' } }
    expect((await check(lax.guard, agent, request)).decision).toBe('allow')
    await lax.close()
  })

  test('is not lost among many, and one that holds a run is never forgotten', async () => {
    await addUnjudged(world.runtime, { runId, count: 1, text: '' })
    const lax = { ...world.runtime, settings: { ...world.runtime.settings, strict: false } }
    for (let number = 0; number < 210; number++) {
      await addUnjudged(lax, { runId: `run_${number}`, count: 1, text: '' })
    }
    const { count, runs } = await readUnjudged(world.runtime.store)
    expect(count).toBe(211)
    expect(Object.keys(runs)).toHaveLength(200)
    expect(runs[runId]?.blocks).toBe(true)
  })
})

import { afterEach, expect, test } from 'vitest'
import { ownAdapter } from '../../testing/adapters.ts'
import { agent, openRuntime, type RuntimeWorld, save, start } from '../../testing/runtime.ts'
import { bothEnds } from './captured-output.ts'
import { openCall } from './guarded-call.ts'

let world: RuntimeWorld
afterEach(() => world.close())

async function outputs(meta: object, output: string) {
  world = await openRuntime()
  const states = { one: { on: { NEXT: 'two' } }, two: { type: 'final' } }
  await save(world.runtime, { id: 'w', initial: 'one', states, meta })
  const run = await start(world.runtime, agent, { workflow: 'w' })
  const request = { run, tool: 'Bash', input: { command: 'ls' }, callId: 'c' }
  const opened = await openCall(world.guard, ownAdapter, agent, request)
  if (!opened.ok) throw new Error(opened.error.message)
  await opened.value.finish({ bytes: output.length, exit: 'success', output })
  const blobs = await world.runtime.store.runs.blobsOfCall(run, 'c')
  return blobs.filter(({ what }) => what === 'output').map(({ text }) => JSON.parse(text))
}

test('WF-32: with capture_output a result keeps its output, without secrets', async () => {
  const key = `sk-${'a'.repeat(30)}`
  expect(await outputs({ capture_output: true }, `done ${key}`)).toEqual(['done [redacted]'])
})

test('WF-32: without it nothing is kept', async () => {
  expect(await outputs({}, 'done')).toEqual([])
})

test('WF-32: a long output keeps both ends', async () => {
  world = await openRuntime()
  const text = bothEnds(`begin${'x'.repeat(1000)}end`, 100)
  expect(text).toMatch(/^beginx{45}\n\[908 characters left out\]\nx{47}end$/)
  expect(bothEnds('short', 100)).toBe('short')
})

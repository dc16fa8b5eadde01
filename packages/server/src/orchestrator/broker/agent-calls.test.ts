import { afterEach, expect, test } from 'vitest'
import { agent, openRuntime, type RuntimeWorld, save, start } from '../../../testing/runtime.ts'
import { AgentCalls } from './agent-calls.ts'

let world: RuntimeWorld
afterEach(() => world.close())

test('WF-8, WF-32a: an agent that counts its calls anew in each turn makes new calls', async () => {
  world = await openRuntime()
  const states = { one: { max_iterations: 1, on: { NEXT: 'two' } }, two: { type: 'final' } }
  await save(world.runtime, { id: 'w', initial: 'one', states })
  await start(world.runtime, agent, { workflow: 'w', session: 'sess_1' })
  const calls = new AgentCalls({
    guard: world.guard,
    caller: agent,
    sessionId: 'sess_1',
    projectPath: world.folder,
    signal: AbortSignal.timeout(20_000),
    costReported: async () => {},
  })
  const call = { callId: 'call_1', name: 'Read', arguments: { file_path: 'a' } }
  expect(await calls.judge(call)).toMatchObject({ isAllowed: true })
  await calls.finished({ callId: 'call_1', bytes: 1, exit: 'success' })
  calls.forget()
  expect(await calls.judge(call)).toMatchObject({
    isAllowed: false,
    message: expect.stringContaining('iterations_exhausted'),
  })
})

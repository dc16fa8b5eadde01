import { afterAll, beforeAll, expect, test } from 'vitest'
import { check } from '../../../testing/adapters.ts'
import {
  agent,
  ann,
  openRuntime,
  other,
  type RuntimeWorld,
  save,
  start,
} from '../../../testing/runtime.ts'
import { answerQuestion } from '../runs/change-run.ts'
import { startRun } from '../runs/start-run.ts'

let world: RuntimeWorld
const stop = {
  name: 'stop',
  initial: 'a',
  states: { a: { question: 'Go on?', answers: { no: { next: null, action: 'block' } } } },
}

beforeAll(async () => {
  world = await openRuntime()
  await save(world.runtime, stop)
  await save(world.runtime, { ...stop, name: 'side' })
})
afterAll(() => world.close())

test('PR-4a: a block without a session holds the token in all its runs, and no other', async () => {
  const { runtime } = world
  const code = async (caller: typeof agent, run: string) =>
    (await check(world.guard, caller, { run, tool: 'Read', input: {} })).code ?? 'allowed'
  const [blocked, beside] = [
    await start(runtime, agent, { process: 'stop' }),
    await start(runtime, agent, { process: 'side' }),
  ]
  const theirs = await start(runtime, other, { process: 'side' })
  expect(await code(agent, beside)).toBe('allowed')
  expect((await answerQuestion(runtime, agent, { run: blocked, answer: 'no' })).ok).toBe(true)
  expect(await code(agent, blocked)).toBe('run_blocked')
  expect(await code(agent, beside)).toBe('run_blocked')
  expect(await code(other, theirs)).toBe('allowed')
  const refused = await startRun(runtime, agent, { process: 'side' })
  expect(refused).toMatchObject({ ok: false, error: { code: 'run_blocked' } })
  const renamed = await startRun(runtime, agent, { process: 'side', session: 'made up' })
  expect(renamed).toMatchObject({ ok: false, error: { code: 'run_blocked' } })

  const unrelated = await start(runtime, ann, { process: 'side' })
  expect(await code(agent, unrelated)).toBe('allowed')
  expect(await code(agent, beside)).toBe('run_blocked')
  await start(runtime, ann, { process: 'stop' })
  expect(await code(agent, beside)).toBe('allowed')
  expect((await startRun(runtime, agent, { process: 'side' })).ok).toBe(true)
})

test('PR-4a: a person lifts a block however many runs were started since', async () => {
  const { runtime } = world
  const blocked = await start(runtime, agent, { process: 'stop' })
  expect((await answerQuestion(runtime, agent, { run: blocked, answer: 'no' })).ok).toBe(true)
  await start(runtime, ann, { process: 'stop' })
  for (let n = 0; n < 101; n++) await start(runtime, other, { process: 'stop' })
  runtime.sessions.forgetBlocks()
  expect(await runtime.sessions.blockOf(agent.tokenId)).toBeUndefined()
  // What the blocked run is asked afterwards is denied there, and blocks nothing else again.
  const again = await check(world.guard, agent, { run: blocked, tool: 'Read', input: {} })
  expect(again.code).toBe('run_blocked')
  runtime.sessions.forgetBlocks()
  expect(await runtime.sessions.blockOf(agent.tokenId)).toBeUndefined()
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { check } from '../../testing/adapters.ts'
import { agent, openRuntime, type RuntimeWorld, save, start } from '../../testing/runtime.ts'
import { actorOf } from '../base/caller.ts'
import { adapterNamed } from '../hooks/client-adapter.ts'
import { transition } from '../runtime/change-run.ts'
import { explainCall, explainPolicies } from './explain.ts'

const child = {
  id: 'child',
  initial: 'one',
  states: { one: { on: { END: 'end' } }, end: { type: 'final' } },
  policy: { deny: [{ capability: 'bash' }] },
}
const parent = {
  id: 'parent',
  initial: 'start',
  states: {
    start: {
      on: {
        FORK: { fork: { branches: { a: { initial: 'a1', terminal: 'a2' } }, on_complete: 'end' } },
      },
    },
    a1: { on: { SUB: { invoke: 'child', on_complete: 'a2' } } },
    a2: { type: 'final' },
    end: { type: 'final' },
  },
}

let world: RuntimeWorld
beforeAll(async () => {
  world = await openRuntime()
  await save(world.runtime, child)
  await save(world.runtime, parent)
})
afterAll(() => world.close())

test('PO-1: explaining asks the policies of the lane, as the decision does', async () => {
  const { guard, runtime } = world
  const run = await start(runtime, agent, { workflow: 'parent' })
  for (const event of ['FORK', 'SUB']) {
    expect((await transition(runtime, agent, { run, event })).ok).toBe(true)
  }
  const bash = { run, tool: 'Bash', input: { command: 'ls' } }
  expect(await check(guard, agent, bash)).toMatchObject({ decision: 'deny', code: 'policy_denied' })
  const explained = await explainCall(guard, agent, bash)
  expect(explained).toMatchObject({ ok: true, value: { decision: 'deny', code: 'policy_denied' } })
  const live = await runtime.live.get(run)
  const subject = { scope: { role: 'agent', projects: [] }, by: actorOf(agent), live }
  const policies = await explainPolicies(runtime, { tool: 'Bash' }, subject)
  expect(policies).toMatchObject({ decision: 'deny', policies: [{ policy: 'workflow:child' }] })
})

test.each([
  ['codex', { sandbox: 'required' }, 'sandbox_required'],
  ['codex', { env_overrides: { MODE: 'dry' } }, 'environment_required'],
  ['claude-code', { env_overrides: { MODE: 'dry' } }, undefined],
])('SH-12, SH-14: what %s cannot run is explained so: %o', async (name, state, code) => {
  const { guard, runtime } = world
  const states = { one: { on: { END: 'end' }, ...state }, end: { type: 'final' } }
  await save(runtime, { id: 'held', initial: 'one', states })
  const run = await start(runtime, { ...agent, client: name }, { workflow: 'held' })
  const bash = { run, tool: 'Bash', input: { command: 'ls' } }
  const explained = await explainCall(guard, agent, bash, adapterNamed(name, runtime.settings))
  if (!explained.ok) throw new Error(explained.error.message)
  const judged = explained.value
  expect(judged.decision === 'allow' ? undefined : judged.code).toBe(code)
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { check } from '../../testing/adapters.ts'
import { newAgent } from '../../testing/mcp-server.ts'
import { agent, ann, openRuntime, type RuntimeWorld, save, start } from '../../testing/runtime.ts'
import { actorOf } from '../base/caller.ts'
import { adapterNamed } from '../hooks/client-adapter.ts'
import { savePolicy } from '../runtime/rules/save-policy.ts'
import { transition } from '../runtime/runs/change-run.ts'
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

const small = { tool: 'transfer', server: 'bank', input: { amount: 5 } }
const large = { ...small, input: { amount: 501 } }

test('FC-8: a policy reads the arguments of a call without a run, and explained', async () => {
  const { guard, runtime } = world
  const nobody = newAgent()
  const when = 'args.amount > 500'
  const policy = { role: 'agent', deny: [{ capability: 'mcp:bank:transfer', when }] }
  expect((await savePolicy(runtime, ann, { name: 'bank', policy })).ok).toBe(true)
  expect(await check(guard, nobody, small)).toMatchObject({ decision: 'allow' })
  expect(await check(guard, nobody, large)).toMatchObject({ decision: 'deny' })
  for (const [call, decision] of [
    [small, 'allow'],
    [large, 'deny'],
  ] as const) {
    const subject = {
      scope: { role: 'agent', projects: [] },
      by: actorOf(agent),
      live: undefined,
    }
    expect(await explainPolicies(runtime, call, subject)).toMatchObject({ decision })
  }
})

test('FC-15: explaining a call says what its conditions would say', async () => {
  const { guard, runtime } = world
  const require = 'args.amount <= 500'
  const calls = { mcp__bank__transfer: [{ require, message: 'At most 500.' }] }
  const states = { one: { on: { END: 'end' } }, end: { type: 'final' } }
  await save(runtime, { id: 'bounded', initial: 'one', calls, states })
  const run = await start(runtime, agent, { workflow: 'bounded' })
  expect(await explainCall(guard, agent, { run, ...small })).toMatchObject({
    value: { decision: 'allow' },
  })
  expect(await explainCall(guard, agent, { run, ...large })).toMatchObject({
    value: { decision: 'deny', reasons: [{ code: 'condition_failed' }, { code: 'policy_denied' }] },
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { check } from '../../testing/adapters.ts'
import { type FrontWorld, hostile, openFrontWorld } from '../../testing/gateway.ts'
import { newAgent } from '../../testing/mcp-server.ts'
import { agent, ann, openRuntime, planThenWrite, save, start } from '../../testing/runtime.ts'
import { savePolicy } from '../runtime/rules/save-policy.ts'

const project = '/srv/shop'
const policy = { deny: [{ capability: 'mcp:other:*' }, { capability: 'write' }] }
const attached = { name: 'shop', policy, project }

describe('a policy of the project that the server works for', () => {
  test.each([
    ['that names no project', {}],
    ['that names another project', { project: '/elsewhere', workspace: '/elsewhere' }],
  ])('PO-1b: holds for a run %s', async (_name, named) => {
    const world = await openRuntime({ settings: { project } })
    try {
      expect((await savePolicy(world.runtime, ann, attached)).ok).toBe(true)
      await save(world.runtime, planThenWrite)
      const run = await start(world.runtime, agent, { workflow: 'plan-then-write', ...named })
      const call = { run, server: 'other', tool: 'anything', input: {}, ...named }
      const { reasons } = await check(world.guard, agent, call).then((answer) =>
        answer.decision === 'allow' ? { reasons: [] } : answer,
      )
      expect(reasons.map(({ code }) => code)).toContain('policy_denied')
    } finally {
      await world.close()
    }
  })

  test('WF-32a, PO-2: holds for a call that was let through before and comes again', async () => {
    const world = await openRuntime({ settings: { project } })
    try {
      await save(world.runtime, planThenWrite)
      const run = await start(world.runtime, agent, { workflow: 'plan-then-write' })
      const call = { run, callId: 'one', tool: 'Read', input: { file_path: 'a' } }
      expect(await check(world.guard, agent, call)).toMatchObject({ decision: 'allow' })
      expect(await check(world.guard, agent, call)).toMatchObject({ decision: 'allow' })
      const denied = { ...attached, policy: { deny: [{ capability: 'read' }] } }
      expect((await savePolicy(world.runtime, ann, denied)).ok).toBe(true)
      expect(await check(world.guard, agent, call)).toMatchObject({ code: 'policy_denied' })
    } finally {
      await world.close()
    }
  })

  describe('at the MCP gateway', () => {
    let world: FrontWorld
    beforeAll(async () => {
      world = await openFrontWorld({ upstreams: { other: hostile } }, { project })
      expect((await savePolicy(world.runtime, ann, attached)).ok).toBe(true)
    })
    afterAll(() => world.close())

    test('PO-1b, PO-1c: holds without a run and without a session', async () => {
      const client = await world.connect(newAgent())
      const { tools } = await client.listTools()
      const fronted = tools.find(({ name }) => !/^(?:statewright|process|memory|task)_/.test(name))
      const result = await client.callTool({ name: fronted?.name ?? '', arguments: {} })
      expect(JSON.stringify(result.content)).toContain('policy_denied')
    })
  })
})

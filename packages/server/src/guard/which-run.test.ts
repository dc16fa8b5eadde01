import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { check } from '../../testing/adapters.ts'
import { callTool, type McpWorld, newAgent, openMcpWorld } from '../../testing/mcp-server.ts'
import { other, save, start } from '../../testing/runtime.ts'
import type { Caller } from '../base/caller.ts'

let world: McpWorld

beforeAll(async () => {
  world = await openMcpWorld()
})
afterAll(() => world.close())

describe('the run that a call belongs to', () => {
  const announce = (caller: Caller, id: string, session: string, agentId?: string) =>
    world.toolUses.announce(caller, id, {
      client: 'claude-code',
      session,
      ...(agentId === undefined ? {} : { agentId }),
    })
  const joined = (id: string) => ({ 'claudecode/toolUseId': id })

  test('is the one of its client session, joined by the id of the tool use', async () => {
    const caller = newAgent()
    const first = await start(world.runtime, caller, {
      workflow: 'plan-then-write',
      session: 'one',
    })
    const second = await start(world.runtime, caller, {
      workflow: 'plan-then-write',
      session: 'two',
    })
    const client = await world.connect(caller)
    announce(caller, 'u1', 'one')
    announce(caller, 'u2', 'two')
    const one = await callTool(client, 'statewright_get_state', {}, joined('u1'))
    const two = await callTool(client, 'statewright_get_state', {}, joined('u2'))
    expect([one.value.run_id, two.value.run_id]).toEqual([first, second])
  })

  test('is never guessed between two', async () => {
    const caller = newAgent()
    const first = await start(world.runtime, caller, {
      workflow: 'plan-then-write',
      session: 'one',
    })
    await start(world.runtime, caller, { workflow: 'plan-then-write', session: 'two' })
    const client = await world.connect(caller)
    for (const meta of [undefined, joined('never announced')]) {
      const lost = await callTool(client, 'statewright_transition', { event: 'READY' }, meta)
      expect(lost).toMatchObject({ isError: true, value: { code: 'usage', where: 'run' } })
    }
    const named = await callTool(client, 'statewright_get_state', { run: first })
    expect(named.value.run_id).toBe(first)
  })

  test('is none when the session has none, whatever else the token has', async () => {
    const caller = newAgent()
    await start(world.runtime, caller, { workflow: 'plan-then-write', session: 'one' })
    const client = await world.connect(caller)
    announce(caller, 'u3', 'fresh')
    const state = await callTool(client, 'statewright_get_state', {}, joined('u3'))
    expect(state).toMatchObject({ isError: true, value: { code: 'no_active_run' } })
  })

  test('is the one a connection names, where calls cannot', async () => {
    const caller = newAgent()
    await start(world.runtime, caller, { workflow: 'plan-then-write', session: 'one' })
    const run = await start(world.runtime, caller, { workflow: 'plan-then-write', session: 'two' })
    const client = await world.connect(caller, 'auto', { 'statewright-session': 'two' })
    expect((await callTool(client, 'statewright_get_state')).value.run_id).toBe(run)
  })

  test('PO-8: is not another agent’s', async () => {
    const run = await start(world.runtime, newAgent(), { workflow: 'plan-then-write' })
    const client = await world.connect(other)
    const state = await callTool(client, 'statewright_get_state', { run })
    expect(state).toMatchObject({ isError: true, value: { code: 'unknown_run' } })
  })

  test('what is loaded holds the session whose client hook announced it', async () => {
    const caller = newAgent()
    const client = await world.connect(caller)
    announce(caller, 'u4', 'held')
    await callTool(client, 'statewright_load_workflow', { name: 'plan-then-write' }, joined('u4'))
    const denied = await check(world.guard, caller, {
      session: 'held',
      tool: 'Write',
      input: { file_path: '/x', content: '' },
    })
    expect(denied.code).toBe('tool_not_allowed')
  })
})

test('WF-25: a sub-agent is bound to a branch through the id of its tool use', async () => {
  await save(world.runtime, {
    id: 'forked',
    initial: 'start',
    states: {
      start: {
        on: {
          SPLIT: {
            fork: {
              branches: {
                left: { initial: 'l', terminal: 'l_end' },
                right: { initial: 'r', terminal: 'r_end' },
              },
              join: 'all',
              on_complete: 'end',
            },
          },
        },
      },
      l: { allowed_tools: ['Read'], on: { OK: 'l_end' } },
      l_end: { type: 'final' },
      r: { allowed_tools: ['Write'], on: { OK: 'r_end' } },
      r_end: { type: 'final' },
      end: { type: 'final' },
    },
  })
  const caller = newAgent()
  await start(world.runtime, caller, { workflow: 'forked', session: 'f' })
  const client = await world.connect(caller)
  const use = (id: string, agentId?: string) => {
    world.toolUses.announce(caller, id, {
      client: 'claude-code',
      session: 'f',
      ...(agentId && { agentId }),
    })
    return { 'claudecode/toolUseId': id }
  }
  await callTool(client, 'statewright_transition', { event: 'SPLIT' }, use('b0'))
  const unnamed = await callTool(
    client,
    'statewright_load_workflow',
    { name: 'forked', branch: 'right' },
    use('b1'),
  )
  expect(unnamed.isError).toBe(true)
  const bound = await callTool(
    client,
    'statewright_load_workflow',
    { name: 'forked', branch: 'right' },
    use('b2', 'worker'),
  )
  expect(bound.value).toMatchObject({ branch: 'right', state: 'r' })
  const write = { session: 'f', tool: 'Write', input: { file_path: '/w', content: '' } }
  const worker = await check(world.guard, { ...caller, agentId: 'worker' }, write)
  const parent = await check(world.guard, caller, write)
  expect([worker.decision, parent.decision]).toEqual(['allow', 'deny'])
})

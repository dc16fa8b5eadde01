import { ownToolNames } from '@statewright/core/internal'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callTool, type McpWorld, newAgent, openMcpWorld } from '../../testing/mcp-server.ts'
import { ann, planThenWrite, save, start } from '../../testing/runtime.ts'

let world: McpWorld

beforeAll(async () => {
  world = await openMcpWorld()
})
afterAll(() => world.close())

describe.each(['auto', 'legacy'] as const)('our tools over MCP (%s)', (era) => {
  test('have exactly their names, and schemas for what they take and give', async () => {
    const client = await world.connect(newAgent(), era)
    expect(client.getNegotiatedProtocolVersion()).toBe(era === 'auto' ? '2026-07-28' : '2025-11-25')
    const { tools } = await client.listTools()
    const wanted = ownToolNames.filter(
      (name) => /^(statewright|process)_/.test(name) && name !== 'statewright_force_state',
    )
    expect(tools.map((tool) => tool.name).sort()).toEqual([...wanted].sort())
    for (const tool of tools) {
      expect(tool.inputSchema.type).toBe('object')
      expect(tool.outputSchema?.type).toBe('object')
    }
  })

  test('WF-16: carry a run from its start to its end', async () => {
    const client = await world.connect(newAgent(), era)
    const loaded = await callTool(client, 'statewright_load_workflow', { name: 'plan-then-write' })
    expect(loaded.value).toMatchObject({
      loaded: 'plan-then-write',
      initial_state: 'planning',
      states: ['planning', 'writing', 'mending', 'done'],
      resumed: false,
    })
    const state = await callTool(client, 'statewright_get_state')
    expect(state.value).toMatchObject({
      state: 'planning',
      allowed_tools: ['Read', 'Grep'],
      is_final: false,
      run_id: loaded.value.run_id,
    })
    const refused = await callTool(client, 'statewright_transition', { event: 'NOPE' })
    expect(refused).toMatchObject({ isError: true, value: { code: 'unknown_event' } })
    expect(refused.value.events).toContainEqual({ event: 'READY', target: 'writing' })
    const moved = await callTool(client, 'statewright_transition', { event: 'READY' })
    expect(moved.value).toMatchObject({
      transitioned: true,
      from: 'planning',
      to: 'writing',
      transition_count: 1,
    })
    const done = await callTool(client, 'statewright_transition', { event: 'DONE' })
    expect(done.value).toMatchObject({ transitioned: true, to: 'done', status: 'completed' })
    const after = await callTool(client, 'statewright_get_state')
    expect(after).toMatchObject({ isError: true, value: { code: 'no_active_run' } })
  })
})

describe('an answer', () => {
  test('tells an agent of tools, not of commands, and what an argument must be', async () => {
    const client = await world.connect(newAgent())
    const unknown = await callTool(client, 'statewright_load_workflow', { name: 'nope' })
    expect(unknown.value.next).toBe('list them with statewright_list_workflows.')
    await callTool(client, 'statewright_load_workflow', { name: 'plan-then-write' })
    const data = JSON.stringify({ plan: 'x' })
    const text = await callTool(client, 'statewright_transition', { event: 'READY', data })
    expect(text.value.message).toBe('statewright_transition: "data" must be an object, not text.')
  })

  test('WF-22: says that a person must approve', async () => {
    const client = await world.connect(newAgent())
    await callTool(client, 'statewright_load_workflow', { name: 'plan-then-write' })
    const parked = await callTool(client, 'statewright_transition', { event: 'ASK' })
    expect(parked).toMatchObject({
      isError: false,
      value: { transitioned: false, status: 'pending_approval' },
    })
    const status = await callTool(client, 'statewright_get_status')
    expect(status.value.pending_approvals).toMatchObject([
      { approval_id: parked.value.approval_id, kind: 'transition' },
    ])
    const again = await callTool(client, 'statewright_transition', { event: 'ASK' })
    expect(again).toMatchObject({ isError: true, value: { code: 'approval_pending' } })
  })

  test('explains a call, writes a probe and changes nothing', async () => {
    const client = await world.connect(newAgent())
    const { value } = await callTool(client, 'statewright_load_workflow', {
      name: 'plan-then-write',
    })
    const explained = await callTool(client, 'statewright_explain', { tool: 'Write' })
    expect(explained.value).toMatchObject({
      decision: 'deny',
      code: 'tool_not_allowed',
      way: [{ event: 'READY', target: 'writing' }],
    })
    const run = String(value.run_id)
    const entries = await world.runtime.store.runs.entries(run, { after: 0, limit: 10 })
    expect(entries.map(({ entry }) => entry.type)).toEqual(['run_started', 'probe'])
  })

  test.each([
    ['statewright_transition', {}],
    ['statewright_transition', { event: 7 }],
    ['statewright_load_workflow', { name: '' }],
    ['statewright_get_state', { run: {} }],
    ['statewright_search_docs', {}],
    ['no_such_tool', {}],
  ])('%s with %o is refused as a result, not as a fault', async (name, args) => {
    const client = await world.connect(newAgent())
    expect(await callTool(client, name, args)).toMatchObject({
      isError: true,
      value: { code: 'usage' },
    })
  })

  test('finds what the reference says', async () => {
    const client = await world.connect(newAgent())
    const { value } = await callTool(client, 'statewright_search_docs', { query: 'max edit lines' })
    const [first] = value.results as { title: string }[] // Held by the output schema.
    expect(first?.title).toContain('max_edit_lines')
    const none = await callTool(client, 'statewright_search_docs', { query: 'xyzzy' })
    expect(none.value.results).toEqual([])
  })
})

describe('locked runs', () => {
  test.each([
    ['statewright_pause', {}],
    ['statewright_deactivate', {}],
    ['statewright_load_workflow', { name: 'plan-then-write' }],
  ])('%s needs a person', async (name, args) => {
    const caller = newAgent()
    const run = { workflow: 'plan-then-write', session: `locked-${caller.tokenId}` }
    await start(world.runtime, caller, { ...run, byConfig: true })
    const client = await world.connect(caller)
    expect(await callTool(client, name, args)).toMatchObject({
      isError: true,
      value: { code: 'locked' },
    })
  })

  test('an unlocked one is paused and stopped by its agent', async () => {
    const client = await world.connect(newAgent())
    await callTool(client, 'statewright_load_workflow', { name: 'plan-then-write' })
    const paused = await callTool(client, 'statewright_pause')
    expect(paused).toMatchObject({ isError: false, value: { paused: true, state: 'planning' } })
    const resumed = await callTool(client, 'statewright_load_workflow', {
      name: 'plan-then-write',
      resume: true,
    })
    expect(resumed.value).toMatchObject({ resumed: true, run_id: paused.value.run_id })
    const stopped = await callTool(client, 'statewright_deactivate')
    expect(stopped).toMatchObject({ isError: false, value: { stopped: true } })
  })
})

describe('WF-26: forcing a state', () => {
  const debug = { ...planThenWrite, id: 'debugged', meta: { debug: true } }

  test('is listed and works for a run with meta.debug alone', async () => {
    await save(world.runtime, debug)
    const client = await world.connect(newAgent())
    await callTool(client, 'statewright_load_workflow', { name: 'debugged' })
    const { tools } = await client.listTools()
    expect(tools.map((tool) => tool.name)).toContain('statewright_force_state')
    const forced = await callTool(client, 'statewright_force_state', { state: 'writing' })
    expect(forced.value).toEqual({ forced: true, from: 'planning', to: 'writing' })
  })

  test('is refused elsewhere', async () => {
    const client = await world.connect(newAgent())
    await callTool(client, 'statewright_load_workflow', { name: 'plan-then-write' })
    const forced = await callTool(client, 'statewright_force_state', { state: 'done' })
    expect(forced).toMatchObject({ isError: true, value: { code: 'not_debug' } })
  })
})

describe('definitions', () => {
  test('of an agent are drafts, and cannot take a name that people rely on', async () => {
    const client = await world.connect(newAgent())
    const definition = { ...planThenWrite, id: 'mine' }
    const created = await callTool(client, 'statewright_create_workflow', {
      name: 'mine',
      definition,
    })
    expect(created.value).toMatchObject({ created: 'mine', version: 1, draft: true })
    const taken = await callTool(client, 'statewright_create_workflow', {
      name: 'plan-then-write',
      definition: planThenWrite,
      overwrite: true,
    })
    expect(taken).toMatchObject({ isError: true, value: { code: 'locked' } })
    const list = await callTool(client, 'statewright_list_workflows')
    expect(list.value.workflows).toContainEqual(
      expect.objectContaining({ name: 'mine', draft: true, active: false }),
    )
  })

  test('that are invalid come back with their findings', async () => {
    const client = await world.connect(newAgent())
    const definition = { id: 'x', initial: 'nowhere', states: { a: { type: 'final' } } }
    const checked = await callTool(client, 'statewright_validate_workflow', { definition })
    expect(checked.value).toMatchObject({ ok: false })
    const created = await callTool(client, 'statewright_create_workflow', { name: 'x', definition })
    expect(created).toMatchObject({ isError: true, value: { code: 'definition_invalid' } })
    expect(created.value.findings).toContainEqual(
      expect.objectContaining({ code: 'unknown_initial', severity: 'error' }),
    )
  })
})

test('a person may use the same tools', async () => {
  const client = await world.connect(ann)
  expect((await callTool(client, 'statewright_list_workflows')).isError).toBe(false)
})

test('the search of the docs answers when data merges with what the guide says of it', async () => {
  const client = await world.connect(newAgent())
  const query = 'when does data merge into context'
  const { value } = await callTool(client, 'statewright_search_docs', { query })
  const [first] = value.results as { title: string; text: string }[] // The published shape.
  expect(first?.title).toContain('A guard never sees the data of its own event')
  expect(JSON.stringify(first)).toContain('merged into the context only after')
})

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { ownToolNames } from '@statewright/core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../runtime/caller.ts'
import { checkCall } from '../runtime/check-call.ts'
import {
  agent,
  ann,
  openWorld,
  other,
  planThenWrite,
  save,
  start,
  type World,
} from './gateway.test-kit.ts'
import { createMcpDoor, type McpDoor } from './mcp-door.ts'
import { ToolUses } from './tool-uses.ts'

let world: World
let door: McpDoor
let toolUses: ToolUses
const open: Client[] = []
let tokens = 0

beforeAll(async () => {
  world = await openWorld()
  await save(world.parts, planThenWrite)
  toolUses = new ToolUses(() => world.parts.clock.now())
  door = createMcpDoor({ runtime: world.parts, toolUses, version: '0.0.0' })
})
afterAll(async () => {
  await door.close()
  await world.close()
})
afterEach(async () => {
  for (const client of open.splice(0)) await client.close()
})

/** An agent of its own for each test, so that none sees the runs of another. */
function newAgent(): Caller {
  tokens += 1
  return { ...agent, tokenId: `agent_t${tokens}` }
}

type Era = 'auto' | 'legacy'

async function connect(caller: Caller, era: Era = 'auto', headers: object = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: era } })
  const transport = new StreamableHTTPClientTransport(new URL('http://127.0.0.1:1/mcp'), {
    requestInit: { headers: { ...headers } },
    fetch: (url, init) => door.fetch(new Request(url, init), caller),
  })
  await client.connect(transport)
  open.push(client)
  return client
}

interface Said {
  readonly isError: boolean
  readonly value: Record<string, unknown>
}

async function call(
  client: Client,
  name: string,
  args: object = {},
  meta?: Record<string, unknown>,
): Promise<Said> {
  const result = await client.callTool({
    name,
    arguments: { ...args },
    ...(meta === undefined ? {} : { _meta: meta }),
  })
  const [first] = result.content
  const text = first?.type === 'text' ? first.text : ''
  const value: Record<string, unknown> = JSON.parse(text)
  if (result.isError !== true) expect(result.structuredContent).toEqual(value)
  return { isError: result.isError === true, value }
}

describe.each(['auto', 'legacy'] as const)('our tools over MCP (%s)', (era) => {
  test('have exactly their names, and schemas for what they take and give', async () => {
    const client = await connect(newAgent(), era)
    expect(client.getNegotiatedProtocolVersion()).toBe(era === 'auto' ? '2026-07-28' : '2025-11-25')
    const { tools } = await client.listTools()
    const wanted = ownToolNames.filter(
      (name) => name.startsWith('statewright_') && name !== 'statewright_force_state',
    )
    expect(tools.map((tool) => tool.name).sort()).toEqual([...wanted].sort())
    for (const tool of tools) {
      expect(tool.inputSchema.type).toBe('object')
      expect(tool.outputSchema?.type).toBe('object')
    }
  })

  test('WF-16: carry a run from its start to its end', async () => {
    const client = await connect(newAgent(), era)
    const loaded = await call(client, 'statewright_load_workflow', { name: 'plan-then-write' })
    expect(loaded.value).toMatchObject({
      loaded: 'plan-then-write',
      initial_state: 'planning',
      states: ['planning', 'writing', 'mending', 'done'],
      resumed: false,
    })
    const state = await call(client, 'statewright_get_state')
    expect(state.value).toMatchObject({
      state: 'planning',
      allowed_tools: ['Read', 'Grep'],
      is_final: false,
      run_id: loaded.value.run_id,
    })
    const refused = await call(client, 'statewright_transition', { event: 'NOPE' })
    expect(refused).toMatchObject({ isError: true, value: { code: 'unknown_event' } })
    expect(refused.value.events).toContainEqual({ event: 'READY', target: 'writing' })
    const moved = await call(client, 'statewright_transition', { event: 'READY' })
    expect(moved.value).toMatchObject({
      transitioned: true,
      from: 'planning',
      to: 'writing',
      transition_count: 1,
    })
    const done = await call(client, 'statewright_transition', { event: 'DONE' })
    expect(done.value).toMatchObject({ transitioned: true, to: 'done', status: 'completed' })
    const after = await call(client, 'statewright_get_state')
    expect(after).toMatchObject({ isError: true, value: { code: 'no_active_run' } })
  })
})

describe('an answer', () => {
  test('WF-22: says that a person must approve', async () => {
    const client = await connect(newAgent())
    await call(client, 'statewright_load_workflow', { name: 'plan-then-write' })
    const parked = await call(client, 'statewright_transition', { event: 'ASK' })
    expect(parked).toMatchObject({
      isError: false,
      value: { transitioned: false, status: 'pending_approval' },
    })
    const status = await call(client, 'statewright_get_status')
    expect(status.value.pending_approvals).toMatchObject([
      { approval_id: parked.value.approval_id, kind: 'transition' },
    ])
    const again = await call(client, 'statewright_transition', { event: 'ASK' })
    expect(again).toMatchObject({ isError: true, value: { code: 'approval_pending' } })
  })

  test('explains a call, writes a probe and changes nothing', async () => {
    const client = await connect(newAgent())
    const { value } = await call(client, 'statewright_load_workflow', { name: 'plan-then-write' })
    const explained = await call(client, 'statewright_explain', { tool: 'Write' })
    expect(explained.value).toMatchObject({
      decision: 'deny',
      code: 'tool_not_allowed',
      way: [{ event: 'READY', target: 'writing' }],
    })
    const run = String(value.run_id)
    const entries = await world.parts.store.runs.entries(run, { after: 0, limit: 10 })
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
    const client = await connect(newAgent())
    expect(await call(client, name, args)).toMatchObject({
      isError: true,
      value: { code: 'usage' },
    })
  })

  test('finds what the reference says', async () => {
    const client = await connect(newAgent())
    const { value } = await call(client, 'statewright_search_docs', { query: 'max edit lines' })
    const [first] = value.results as { title: string }[] // Held by the output schema.
    expect(first?.title).toContain('max_edit_lines')
    const none = await call(client, 'statewright_search_docs', { query: 'xyzzy' })
    expect(none.value.results).toEqual([])
  })
})

describe('the run that a call belongs to', () => {
  const announce = (caller: Caller, id: string, session: string, agentId?: string) =>
    toolUses.announce(caller, id, {
      client: 'claude-code',
      session,
      ...(agentId === undefined ? {} : { agentId }),
    })
  const joined = (id: string) => ({ 'claudecode/toolUseId': id })

  test('is the one of its client session, joined by the id of the tool use', async () => {
    const caller = newAgent()
    const first = await start(world.parts, caller, { workflow: 'plan-then-write', session: 'one' })
    const second = await start(world.parts, caller, { workflow: 'plan-then-write', session: 'two' })
    const client = await connect(caller)
    announce(caller, 'u1', 'one')
    announce(caller, 'u2', 'two')
    const one = await call(client, 'statewright_get_state', {}, joined('u1'))
    const two = await call(client, 'statewright_get_state', {}, joined('u2'))
    expect([one.value.run_id, two.value.run_id]).toEqual([first, second])
  })

  test('is never guessed between two', async () => {
    const caller = newAgent()
    const first = await start(world.parts, caller, { workflow: 'plan-then-write', session: 'one' })
    await start(world.parts, caller, { workflow: 'plan-then-write', session: 'two' })
    const client = await connect(caller)
    for (const meta of [undefined, joined('never announced')]) {
      const lost = await call(client, 'statewright_transition', { event: 'READY' }, meta)
      expect(lost).toMatchObject({ isError: true, value: { code: 'usage', where: 'run' } })
    }
    const named = await call(client, 'statewright_get_state', { run: first })
    expect(named.value.run_id).toBe(first)
  })

  test('is none when the session has none, whatever else the token has', async () => {
    const caller = newAgent()
    await start(world.parts, caller, { workflow: 'plan-then-write', session: 'one' })
    const client = await connect(caller)
    announce(caller, 'u3', 'fresh')
    const state = await call(client, 'statewright_get_state', {}, joined('u3'))
    expect(state).toMatchObject({ isError: true, value: { code: 'no_active_run' } })
  })

  test('is the one a connection names, where calls cannot', async () => {
    const caller = newAgent()
    await start(world.parts, caller, { workflow: 'plan-then-write', session: 'one' })
    const run = await start(world.parts, caller, { workflow: 'plan-then-write', session: 'two' })
    const client = await connect(caller, 'auto', { 'statewright-session': 'two' })
    expect((await call(client, 'statewright_get_state')).value.run_id).toBe(run)
  })

  test('PO-8: is not another agent’s', async () => {
    const run = await start(world.parts, newAgent(), { workflow: 'plan-then-write' })
    const client = await connect(other)
    const state = await call(client, 'statewright_get_state', { run })
    expect(state).toMatchObject({ isError: true, value: { code: 'unknown_run' } })
  })

  test('what is loaded holds the session whose client hook announced it', async () => {
    const caller = newAgent()
    const client = await connect(caller)
    announce(caller, 'u4', 'held')
    await call(client, 'statewright_load_workflow', { name: 'plan-then-write' }, joined('u4'))
    const denied = await checkCall(world.parts, caller, {
      session: 'held',
      tool: 'Write',
      input: { file_path: '/x', content: '' },
    })
    expect(denied.code).toBe('tool_not_allowed')
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
    await start(world.parts, caller, { ...run, byConfig: true })
    const client = await connect(caller)
    expect(await call(client, name, args)).toMatchObject({
      isError: true,
      value: { code: 'locked' },
    })
  })

  test('an unlocked one is paused and stopped by its agent', async () => {
    const client = await connect(newAgent())
    await call(client, 'statewright_load_workflow', { name: 'plan-then-write' })
    const paused = await call(client, 'statewright_pause')
    expect(paused).toMatchObject({ isError: false, value: { paused: true, state: 'planning' } })
    const resumed = await call(client, 'statewright_load_workflow', {
      name: 'plan-then-write',
      resume: true,
    })
    expect(resumed.value).toMatchObject({ resumed: true, run_id: paused.value.run_id })
    const stopped = await call(client, 'statewright_deactivate')
    expect(stopped).toMatchObject({ isError: false, value: { stopped: true } })
  })
})

describe('WF-26: forcing a state', () => {
  const debug = { ...planThenWrite, id: 'debugged', meta: { debug: true } }

  test('is listed and works for a run with meta.debug alone', async () => {
    await save(world.parts, debug)
    const client = await connect(newAgent())
    await call(client, 'statewright_load_workflow', { name: 'debugged' })
    const { tools } = await client.listTools()
    expect(tools.map((tool) => tool.name)).toContain('statewright_force_state')
    const forced = await call(client, 'statewright_force_state', { state: 'writing' })
    expect(forced.value).toEqual({ forced: true, from: 'planning', to: 'writing' })
  })

  test('is refused elsewhere', async () => {
    const client = await connect(newAgent())
    await call(client, 'statewright_load_workflow', { name: 'plan-then-write' })
    const forced = await call(client, 'statewright_force_state', { state: 'done' })
    expect(forced).toMatchObject({ isError: true, value: { code: 'not_debug' } })
  })
})

describe('definitions', () => {
  test('of an agent are drafts, and cannot take a name that people rely on', async () => {
    const client = await connect(newAgent())
    const definition = { ...planThenWrite, id: 'mine' }
    const created = await call(client, 'statewright_create_workflow', { name: 'mine', definition })
    expect(created.value).toMatchObject({ created: 'mine', version: 1, draft: true })
    const taken = await call(client, 'statewright_create_workflow', {
      name: 'plan-then-write',
      definition: planThenWrite,
      overwrite: true,
    })
    expect(taken).toMatchObject({ isError: true, value: { code: 'locked' } })
    const list = await call(client, 'statewright_list_workflows')
    expect(list.value.workflows).toContainEqual(
      expect.objectContaining({ name: 'mine', draft: true, active: false }),
    )
  })

  test('that are invalid come back with their findings', async () => {
    const client = await connect(newAgent())
    const definition = { id: 'x', initial: 'nowhere', states: { a: { type: 'final' } } }
    const checked = await call(client, 'statewright_validate_workflow', { definition })
    expect(checked.value).toMatchObject({ ok: false })
    const created = await call(client, 'statewright_create_workflow', { name: 'x', definition })
    expect(created).toMatchObject({ isError: true, value: { code: 'definition_invalid' } })
    expect(created.value.findings).toContainEqual(
      expect.objectContaining({ code: 'unknown_initial', severity: 'error' }),
    )
  })
})

test('WF-25: a sub-agent is bound to a branch through the id of its tool use', async () => {
  await save(world.parts, {
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
  await start(world.parts, caller, { workflow: 'forked', session: 'f' })
  const client = await connect(caller)
  const use = (id: string, agentId?: string) => {
    toolUses.announce(caller, id, {
      client: 'claude-code',
      session: 'f',
      ...(agentId && { agentId }),
    })
    return { 'claudecode/toolUseId': id }
  }
  await call(client, 'statewright_transition', { event: 'SPLIT' }, use('b0'))
  const unnamed = await call(
    client,
    'statewright_load_workflow',
    { name: 'forked', branch: 'right' },
    use('b1'),
  )
  expect(unnamed.isError).toBe(true)
  const bound = await call(
    client,
    'statewright_load_workflow',
    { name: 'forked', branch: 'right' },
    use('b2', 'worker'),
  )
  expect(bound.value).toMatchObject({ branch: 'right', state: 'r' })
  const write = { session: 'f', tool: 'Write', input: { file_path: '/w', content: '' } }
  const worker = await checkCall(world.parts, { ...caller, agentId: 'worker' }, write)
  const parent = await checkCall(world.parts, caller, write)
  expect([worker.decision, parent.decision]).toEqual(['allow', 'deny'])
})

test('a person may use the same tools', async () => {
  const client = await connect(ann)
  expect((await call(client, 'statewright_list_workflows')).isError).toBe(false)
})

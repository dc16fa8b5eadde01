import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FrontWorld, hostile, openFrontWorld } from '../../../testing/gateway.ts'
import { newAgent } from '../../../testing/mcp-server.ts'
import { save, start } from '../../../testing/runtime.ts'
import type { Caller } from '../../base/caller.ts'
import { answerClientHook } from '../../hooks/client-hook.ts'
import { allEntries } from '../../runtime/runs/read-run.ts'

const looking = {
  id: 'looking',
  initial: 'looking',
  states: {
    looking: { allowed_tools: ['mcp__evil__echo'], on: { DONE: 'done' } },
    done: { type: 'final' },
  },
}

let world: FrontWorld
let caller: Caller
let run: string

beforeAll(async () => {
  world = await openFrontWorld({ upstreams: { evil: hostile } })
  await save(world.runtime, looking)
}, 60_000)
afterAll(() => world.close())
beforeEach(async () => {
  caller = newAgent()
  run = await start(world.runtime, caller, { workflow: 'looking', session: 's' })
})

const users = { mcp_server: { name: 'statewright', source: 'user' } }
const projects = { mcp_server: { name: 'statewright', source: 'project' } }

function hook(hook_event_name: string, tool: string, more: object = users, client = 'claude-code') {
  const call = { tool_name: `mcp__statewright__${tool}`, tool_use_id: 't1', tool_input: { a: 1 } }
  const body = { session_id: 's', cwd: world.folder, hook_event_name, ...call, ...more }
  return answerClientHook(world.gateway.hooks, { client, caller, text: JSON.stringify(body) })
}

async function callMcp(name: string) {
  const client = await world.connect(caller)
  const _meta = { 'claudecode/toolUseId': 't1' }
  return client.callTool({ name, arguments: { a: 1 }, _meta })
}

async function history(): Promise<string[]> {
  const entries = await allEntries(world.runtime, run)
  return entries.map(({ entry }) =>
    entry.type === 'call_decided' ? `${entry.type} ${entry.decision}` : entry.type,
  )
}

describe('a tool behind our gateway, through the client hook of its client', () => {
  test('an allowed one is judged and counted once, at the gateway', async () => {
    expect(await hook('PreToolUse', 'echo')).toEqual({})
    expect((await callMcp('echo')).isError).not.toBe(true)
    expect(await hook('PostToolUse', 'echo', { ...users, tool_response: 'x' })).toEqual({})
    expect(await history()).toEqual(['run_started', 'call_decided allow', 'call_finished'])
  })

  test('a forbidden one is refused at the gateway, and its hook says nothing', async () => {
    expect(await hook('PreToolUse', 'twice')).toEqual({})
    expect((await callMcp('twice')).isError).toBe(true)
    await hook('PostToolUseFailure', 'twice', { ...users, error: 'x' })
    expect(await history()).toEqual(['run_started', 'call_decided deny'])
  })

  test('a server of our name that a project brings along is judged by the hook', async () => {
    expect(JSON.stringify(await hook('PreToolUse', 'echo', projects))).toContain('tool_not_allowed')
  })

  test.each(['nothing_of_this_name', 'statewright_sneak', 'memory_set_all'])(
    'a name that is not behind us is judged by the hook: %s',
    async (tool) => {
      expect(JSON.stringify(await hook('PreToolUse', tool))).toContain('tool_not_allowed')
    },
  )

  test('unjudged_call: one that never came to the gateway is told, and once', async () => {
    expect(await hook('PreToolUse', 'echo', {}, 'codex')).toEqual({})
    await hook('PostToolUse', 'echo', { tool_response: 'x' }, 'codex')
    await hook('PostToolUse', 'echo', { tool_response: 'x' }, 'codex')
    expect(await history()).toEqual(['run_started', 'gap'])
  })
})

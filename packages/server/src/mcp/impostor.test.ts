import { textOf } from '@statewright/core/internal'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { check } from '../../testing/adapters.ts'
import {
  agent,
  ann,
  openRuntime,
  planThenWrite,
  type RuntimeWorld,
  save,
  start,
} from '../../testing/runtime.ts'
import type { Caller } from '../base/caller.ts'
import { codingClients } from '../clients/coding-clients.ts'
import { createGuard } from '../guard/guard.ts'
import { answerClientHook } from '../hooks/client-hook.ts'
import { ToolUses } from '../hooks/tool-uses.ts'
import { readUnjudged } from '../runtime/blocks/unjudged.ts'
import { allEntries } from '../runtime/runs/read-run.ts'
import { joinCall } from './join-call.ts'

const gateway = ['node', 'statewright', 'mcp']
const hookCaller: Caller = { ...agent, kind: 'hook' }

interface Dialect {
  /** A call of our own tool, before and after it ran. */
  own(when: 'before' | 'after'): object
  /** A call of the client's own tool. */
  other(when: 'before' | 'after'): object
  /** What comes beside the MCP call, where the client puts its id there. */
  readonly meta?: object
}

const claudeWords = { before: 'PreToolUse', after: 'PostToolUse' }
const claudeLike = (own: string, more: object = {}): Dialect => ({
  own: (when) => ({
    session_id: 's',
    hook_event_name: claudeWords[when],
    tool_name: own,
    tool_use_id: 't1',
    tool_input: { event: 'READY' },
    ...more,
  }),
  other: (when) => ({
    session_id: 's',
    hook_event_name: claudeWords[when],
    tool_name: 'Read',
    tool_use_id: 't2',
    tool_input: { file_path: '/x' },
  }),
})

const mcp_context = {
  server_name: 'statewright',
  tool_name: 'statewright_transition',
  command: 'node',
  args: gateway.slice(1),
}
const geminiWords = { before: 'BeforeTool', after: 'AfterTool' }
const opencodeHead = { session: 's', root: 's' }

const dialects: Readonly<Record<string, Dialect>> = {
  'claude-code': {
    ...claudeLike('mcp__statewright__statewright_transition'),
    meta: { 'claudecode/toolUseId': 't1' },
  },
  codex: {
    ...claudeLike('mcp__statewright__statewright_transition', { turn_id: 'turn' }),
    meta: { callId: 't1' },
  },
  copilot: claudeLike('statewright-statewright_transition', { tool_use_id: undefined }),
  cursor: {
    own: (when) => ({
      conversation_id: 's',
      hook_event_name: when === 'before' ? 'preToolUse' : 'postToolUse',
      tool_name: 'MCP:statewright_transition',
      tool_use_id: 't1',
      tool_input: { event: 'READY' },
    }),
    other: (when) => ({
      conversation_id: 's',
      hook_event_name: when === 'before' ? 'preToolUse' : 'postToolUse',
      tool_name: 'Read',
      tool_use_id: 't2',
      tool_input: { file_path: '/x' },
    }),
  },
  gemini: {
    own: (when) => ({
      session_id: 's',
      hook_event_name: geminiWords[when],
      tool_name: 'mcp_statewright_statewright_transition',
      tool_input: { event: 'READY' },
      tool_response: {},
      mcp_context,
    }),
    other: (when) => ({
      session_id: 's',
      hook_event_name: geminiWords[when],
      tool_name: 'read_file',
      tool_input: { file_path: '/x' },
      tool_response: {},
    }),
  },
  opencode: {
    own: (when) => ({
      ...opencodeHead,
      event: `tool.${when}`,
      call: 't1',
      tool: 'statewright_transition',
      to_us: true,
      args: { event: 'READY' },
      bytes: 1,
      exit: 'success',
    }),
    other: (when) => ({
      ...opencodeHead,
      event: `tool.${when}`,
      call: 't2',
      tool: 'read',
      to_us: false,
      args: { filePath: '/x' },
      bytes: 1,
      exit: 'success',
    }),
  },
}

let world: RuntimeWorld
let run: string
let toolUses: ToolUses
let now = 0

beforeEach(async () => {
  world = await openRuntime({ settings: { strict: true } })
  await save(world.runtime, planThenWrite)
  run = await start(world.runtime, ann, { workflow: 'plan-then-write', session: 's' })
  now = 1_800_000_000_000
  const clock = { ...world.runtime.clock, now: () => now }
  const runtime = { ...world.runtime, clock }
  world = { ...world, runtime, guard: createGuard({ runtime: runtime }) }
  toolUses = new ToolUses(() => now)
})
afterEach(() => world.close())

const send = (client: string, body: object) =>
  answerClientHook(
    { guard: world.guard, toolUses },
    { client, caller: hookCaller, text: JSON.stringify(body), origin: { gateway } },
  )

async function gaps(): Promise<string[]> {
  const entries = await allEntries(world.runtime, run)
  return entries.flatMap(({ entry }) => (entry.type === 'gap' ? [textOf(entry.text)] : []))
}

const read = () =>
  check(world.guard, agent, { session: 's', tool: 'Read', input: { file_path: '/x' } })

/** The input that the client sends on: as the model wrote it, or as our answer changed it. */
function inputOf(answer: object): object {
  const found = /"(?:updatedInput|updated_input|args)":(\{[^}]*\})/.exec(JSON.stringify(answer))
  return found?.[1] === undefined ? { event: 'READY' } : JSON.parse(found[1])
}

/** The client's report of the same call, with the input that it really sent. */
function ended(body: object, input: object): object {
  return 'tool_input' in body ? { ...body, tool_input: input } : body
}

test('every client has its dialect here', () => {
  expect(Object.keys(dialects).toSorted()).toEqual([...codingClients.keys()].toSorted())
})

describe.each(Object.entries(dialects))('%s', (client, { own, other, meta = {} }) => {
  test('a call of our own server that came there is nothing to write down', async () => {
    const input = inputOf(await send(client, own('before')))
    const joined = await joinCall(
      { guard: world.guard, toolUses },
      { caller: agent, ancestors: () => [] },
      { tool: 'statewright_transition', input, meta: { ...meta } },
    )
    expect(joined).toMatchObject({ ok: true, value: { from: { session: 's' } } })
    await send(client, ended(own('after'), input))
    expect(await gaps()).toEqual([])
  })

  test('unjudged_call: one that went to another of our name holds a strict run', async () => {
    const input = inputOf(await send(client, own('before')))
    expect(await gaps()).toEqual([])
    expect((await read()).decision).toBe('allow')
    await send(client, ended(own('after'), input))
    expect(await gaps()).toHaveLength(1)
    expect((await readUnjudged(world.runtime.store)).runs[run]).toMatchObject({ count: 1 })
    expect(await read()).toMatchObject({ decision: 'deny', code: 'unjudged_call' })
  })

  test('unjudged_call: a result of what we were never asked about is told once', async () => {
    // What ended just after our own start may have been asked of the process before.
    now += 11 * 60_000
    await send(client, other('after'))
    expect(await gaps()).toHaveLength(1)
    await send(client, other('after'))
    expect(await gaps()).toHaveLength(1)
  })

  test('two alike at once that both came to our own server are nothing to write down', async () => {
    const again = (body: object) =>
      'tool_use_id' in body && body.tool_use_id !== undefined
        ? { ...body, tool_use_id: 't3' }
        : { ...body, call: 't3' }
    const bodies = (when: 'before' | 'after') => [own(when), again(own(when))]
    const inputs: object[] = []
    for (const body of bodies('before')) inputs.push(inputOf(await send(client, body)))
    for (const [index, body] of bodies('after').entries()) {
      const input = inputs[index] ?? {}
      const id = index === 0 ? 't1' : 't3'
      const named = Object.fromEntries(Object.keys(meta).map((key) => [key, id]))
      await joinCall(
        { guard: world.guard, toolUses },
        { caller: agent, ancestors: () => [] },
        { tool: 'statewright_transition', input, meta: named },
      )
      await send(client, ended(body, input))
    }
    expect(await gaps()).toEqual([])
  })

  test('a result of a call that was judged is nothing to write down, however late', async () => {
    await send(client, other('before'))
    now += 5 * 60 * 60_000
    await send(client, other('after'))
    expect(await gaps()).toEqual([])
  })
})

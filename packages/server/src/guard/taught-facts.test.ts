import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { bankWorkflow } from '../../testing/bank.ts'
import { agent, ann, openRuntime, type RuntimeWorld, save, start } from '../../testing/runtime.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import type { Caller } from '../base/caller.ts'
import { answerClientHook } from '../hooks/client-hook.ts'
import { ToolUses } from '../hooks/tool-uses.ts'
import { finishCall } from './finish-call.ts'

const get = 'mcp__bank__get_balance'
const account = { account: 'a' }
const rich = { balance: 1000 }
const pay = { from: 'a', to: 'eve', amount: 5 }

describe('FC-2: over HTTP no word of an agent teaches', () => {
  let server: TestServer
  let run: string
  let token: string

  beforeEach(async () => {
    server = await testServer()
    token = await server.token('agent')
    await save(server.server.runtime, bankWorkflow)
    const started = await server.ask('POST', '/api/runs', { token, body: { workflow: 'bank' } })
    run = started.body.run_id
  })
  afterEach(() => server.close())

  const check = (tool: string, input: object, more: object = {}) =>
    server.ask('POST', '/api/check', { token, body: { run, tool, input, ...more } })
  const report = (call_id: string, body: object) =>
    server.ask('POST', '/api/result', { token, body: { run, call_id, exit: 'success', ...body } })
  const mayPay = async () => (await check('mcp__bank__transfer', pay)).body.decision === 'allow'

  test.each([
    ['an object', rich],
    ['a text', JSON.stringify(rich)],
    ['an MCP result', { structuredContent: rich, content: [] }],
  ])('FC-2: not as %s', async (_, output) => {
    const asked = await check(get, account)
    expect(asked.body.decision).toBe('allow')
    expect((await report(asked.body.call_id, { output })).status).toBe(200)
    expect(await mayPay()).toBe(false)
  })

  test('FC-2: not by words that say it was observed', async () => {
    const asked = await check(get, account)
    const { call_id } = asked.body
    const learnt = { bank: { balance: [{ key: 'a', value: 1000 }] } }
    for (const more of [{ source: 'observed' }, { learnt }, { result: { structured: rich } }]) {
      expect((await report(call_id, { output: rich, ...more })).status).toBe(400)
    }
    expect(await mayPay()).toBe(false)
  })

  test('FC-2: not for a call that nobody asked about, nor by the key of a hook', async () => {
    const stranger = await report('nobody-asked', { output: rich })
    expect(stranger.body.code).toBe('unknown_call')
    token = await server.token('hook')
    const asked = await check(get, account)
    if (asked.body.decision === 'allow') await report(asked.body.call_id, { output: rich })
    expect(await mayPay()).toBe(false)
  })
})

describe('FC-2: over the hook of a client only its own key teaches', () => {
  let world: RuntimeWorld
  let run: string
  let toolUses: ToolUses

  beforeEach(async () => {
    world = await openRuntime()
    await save(world.runtime, bankWorkflow)
    run = await start(world.runtime, ann, {
      workflow: 'bank',
      session: 's',
      agent: agent.tokenId,
    })
    toolUses = new ToolUses(() => world.runtime.clock.now())
  })
  afterEach(() => world.close())

  const hook: Caller = { ...agent, kind: 'hook' }

  const send = (as: Caller, hook_event_name: string, body: object) =>
    answerClientHook(
      { guard: world.guard, toolUses },
      {
        client: 'claude-code',
        caller: as,
        text: JSON.stringify({ session_id: 's', cwd: world.folder, hook_event_name, ...body }),
      },
    )
  const asking = (id: string) => ({ tool_name: get, tool_use_id: id, tool_input: account })
  const ask = (as: Caller, id: string) => send(as, 'PreToolUse', asking(id))
  const tell = (as: Caller, id: string, more: object = {}) =>
    send(as, 'PostToolUse', {
      ...asking(id),
      tool_response: [{ type: 'text', text: JSON.stringify(rich) }],
      ...more,
    })

  let turn = 0
  const mayPay = async () => {
    const transfer = { tool_name: 'mcp__bank__transfer', tool_input: pay }
    const answer = await send(hook, 'PreToolUse', { ...transfer, tool_use_id: `pay-${++turn}` })
    return !JSON.stringify(answer).includes('condition_failed')
  }

  test('FC-2: the hook itself does', async () => {
    expect(await mayPay()).toBe(false)
    await ask(hook, 't1')
    await tell(hook, 't1')
    expect(await mayPay()).toBe(true)
  })

  test("FC-2: an agent's own token does not, whoever asked", async () => {
    await ask(agent, 't1')
    await tell(agent, 't1')
    expect(await mayPay()).toBe(false)
    await ask(hook, 't2')
    await tell(agent, 't2')
    expect(await mayPay()).toBe(false)
  })

  test('FC-2: a result that nobody asked for does not', async () => {
    await tell(hook, 't1')
    expect(await mayPay()).toBe(false)
  })

  test('FC-2: the result of another call does not, whose id an agent asked under', async () => {
    await ask(agent, 't1')
    await tell(hook, 't1', { tool_name: 'Read', tool_input: { file_path: '/mine' } })
    expect(await mayPay()).toBe(false)
  })

  test('FC-2: nor does an agent that ends a call which its hook asked about', async () => {
    await ask(hook, 't1')
    const claimed = { run, callId: 't1', bytes: 1, exit: 'success', source: 'reported' } as const
    const done = await finishCall(world.runtime, agent, {
      ...claimed,
      output: JSON.stringify(rich),
    })
    expect(done.ok).toBe(false)
    expect(await mayPay()).toBe(false)
  })
})

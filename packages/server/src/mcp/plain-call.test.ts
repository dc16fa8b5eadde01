import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FrontWorld, hostile, openFrontWorld } from '../../testing/gateway.ts'
import { asResponse } from '../../testing/mcp-clients.ts'
import { newAgent } from '../../testing/mcp-server.ts'
import { save, start } from '../../testing/runtime.ts'
import type { Caller } from '../base/caller.ts'

const allowed = ['echo', 'costly', 'failing', 'liar', 'lies_about_schema']
const free = {
  id: 'free',
  initial: 'working',
  states: {
    working: { allowed_tools: allowed.map((name) => `mcp__evil__${name}`), on: { DONE: 'done' } },
    done: { type: 'final' },
  },
}

let world: FrontWorld
let caller: Caller

beforeAll(async () => {
  world = await openFrontWorld({ upstreams: { evil: hostile } })
  await save(world.runtime, free)
  caller = newAgent()
  await start(world.runtime, caller, { workflow: 'free' })
}, 60_000)
afterAll(() => world.close())

const revision = '2026-07-28'
const prefix = 'io.modelcontextprotocol'
const meta = {
  [`${prefix}/protocolVersion`]: revision,
  [`${prefix}/clientInfo`]: { name: 'test', version: '1' },
  [`${prefix}/clientCapabilities`]: {},
}

interface SentCall {
  readonly headers?: Record<string, string>
  readonly body?: unknown
  readonly params?: object
  readonly meta?: object
}

function request(name: string, { headers, body, params, meta: more }: SentCall = {}): Request {
  const message = {
    jsonrpc: '2.0',
    id: 7,
    method: 'tools/call',
    params: { name, arguments: { text: 'hello' }, _meta: { ...meta, ...more }, ...params },
  }
  return new Request('http://127.0.0.1:1/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      'mcp-method': 'tools/call',
      'mcp-name': name,
      ...headers,
    },
    body: JSON.stringify(body ?? message),
  })
}

/** A spelling that we leave to the library, and that says the same. */
const byLibrary = { headers: { 'content-type': 'application/json;charset=UTF-8' } }

async function outcome(answer: string | Response) {
  const response = asResponse(answer)
  const text = await response.text()
  // Ids of calls and messages are new each time.
  const same = text.replaceAll(/call_[\w-]+/g, 'ID').replaceAll(/(?<=\bid\\*":)\d+/g, '0')
  return [response.status, JSON.parse(same)]
}

describe('a call that needs nothing of the protocol’s library', () => {
  test('passes it by', async () => {
    expect(typeof (await world.gateway.mcp.answer(request('echo'), caller))).toBe('string')
    const slow = await world.gateway.mcp.answer(request('echo', byLibrary), caller)
    expect(slow).toBeInstanceOf(Response)
  })

  test.each([
    ['echo', 'text'],
    ['costly', 'text with a word beside it'],
    ['failing', 'an error of the server'],
    ['liar', 'what is no result'],
    ['lies_about_schema', 'structured content'],
    ['twice', 'what the rules deny'],
    ['nothing', 'a tool that is not there'],
    ['statewright_get_state', 'a tool of ours'],
  ])('is answered as the library would answer: %s, %s', async (name) => {
    const plain = await outcome(await world.gateway.mcp.answer(request(name), caller))
    const sent = request(name, byLibrary)
    expect(plain).toEqual(await outcome(await world.gateway.mcp.answer(sent, caller)))
  })

  test.each<[what: string, sent: SentCall]>([
    ['names another tool in its header', { headers: { 'mcp-name': 'huge' } }],
    ['names another method in its header', { headers: { 'mcp-method': 'tools/list' } }],
    ['names another revision in its header', { headers: { 'mcp-protocol-version': '2025-06-18' } }],
    [
      'is of a revision that nobody knows',
      { meta: { [`${prefix}/protocolVersion`]: '2099-01-01' } },
    ],
    ['says nothing of its client', { meta: { [`${prefix}/clientCapabilities`]: undefined } }],
    ['is no JSON by its type', { headers: { 'content-type': 'text/plain' } }],
    ['is a batch', { body: [{ jsonrpc: '2.0', id: 1, method: 'tools/call' }] }],
    [
      'has no id that is one',
      { body: { jsonrpc: '2.0', id: {}, method: 'tools/call', params: {} } },
    ],
  ])('is refused by the library where it %s', async (_what, sent) => {
    const answer = await world.gateway.mcp.answer(request('echo', sent), caller)
    expect(answer).toBeInstanceOf(Response)
    expect(asResponse(answer).status).toBeGreaterThanOrEqual(400)
  })

  test.each<[what: string, sent: SentCall]>([
    ['wants to hear of progress', { meta: { progressToken: 1 } }],
    ['wants to hear logs', { meta: { [`${prefix}/logLevel`]: 'info' } }],
    ['has its arguments spelled otherwise', { params: { arguments: undefined } }],
    ['goes on with an earlier one', { params: { requestState: 'x' } }],
  ])('is left to the library, or whole in itself, where it %s', async (what, sent) => {
    const answer = await world.gateway.mcp.answer(request('echo', sent), caller)
    expect(asResponse(answer).status).toBe(200)
    const isPlain = what === 'has its arguments spelled otherwise'
    expect(typeof answer === 'string').toBe(isPlain)
    if (answer instanceof Response) await answer.text()
  })
})

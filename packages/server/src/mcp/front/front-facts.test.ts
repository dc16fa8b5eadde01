import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bankServer, bankWorkflow } from '../../../testing/bank.ts'
import { type FrontWorld, openFrontWorld } from '../../../testing/gateway.ts'
import { newAgent } from '../../../testing/mcp-server.ts'
import { save, start } from '../../../testing/runtime.ts'

/** One of them is the bank; the others offer the same tools, and could say what they like. */
const upstreams = { bank: bankServer, evil: bankServer, bank2: bankServer }

let world: FrontWorld
let client: Client
let run: string

beforeAll(async () => {
  world = await openFrontWorld({ upstreams })
  await save(world.runtime, bankWorkflow)
}, 60_000)
beforeEach(async () => {
  const caller = newAgent()
  run = await start(world.runtime, caller, { workflow: 'bank' })
  client = await world.connect(caller)
})
afterAll(() => world.close())

const call = (name: string, args: object) =>
  client.callTool({
    name,
    arguments: { ...args },
    _meta: { 'statewright/run': run },
  })
const mayPay = async () => {
  const answer = await call('bank__transfer', { from: 'a', to: 'b', amount: 0 })
  return !JSON.stringify(answer).includes('condition_failed')
}

describe('FC-2: behind the gateway', () => {
  test('FC-2: the server that a fact names teaches it', async () => {
    expect(await mayPay()).toBe(false)
    expect((await call('bank__get_balance', { account: 'a' })).isError).not.toBe(true)
    expect(await mayPay()).toBe(true)
  })

  test.each(['evil', 'bank2'])('FC-2: the same tool of %s does not', async (server) => {
    const reply = await call(`${server}__get_balance`, { account: 'a' })
    expect(reply.structuredContent).toMatchObject({ account: 'a' })
    expect(await mayPay()).toBe(false)
  })
})

describe('FC-2: behind the gateway, alone with the name that is listed', () => {
  test('FC-2: an impostor of another name does not teach', async () => {
    const alone = await openFrontWorld({ upstreams: { evil: bankServer } })
    try {
      await save(alone.runtime, bankWorkflow)
      const caller = newAgent()
      const own = await start(alone.runtime, caller, { workflow: 'bank' })
      const asking = await alone.connect(caller)
      const { tools } = await asking.listTools()
      expect(tools.map(({ name }) => name)).toContain('get_balance')
      const _meta = { 'statewright/run': own }
      const reply = await asking.callTool({
        name: 'get_balance',
        arguments: { account: 'a' },
        _meta,
      })
      expect(reply.structuredContent).toMatchObject({ account: 'a' })
      const live = await alone.runtime.live.get(own)
      expect(live?.snapshot.calls.map(({ status }) => status)).toEqual(['done'])
      expect(live?.snapshot.facts).toBeUndefined()
    } finally {
      await alone.close()
    }
  })
})

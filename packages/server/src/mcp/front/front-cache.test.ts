import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FrontWorld, openFrontWorld } from '../../../testing/gateway.ts'
import { newAgent } from '../../../testing/mcp-server.ts'
import { askingServer } from '../../../testing/peers/asking-server.ts'
import { save, start } from '../../../testing/runtime.ts'

const steps = {
  id: 'steps',
  initial: 'reading',
  states: {
    reading: { allowed_tools: ['mcp__asker__read_resource'], on: { GO: 'closed' } },
    closed: { allowed_tools: [], on: { END: 'done' } },
    done: { type: 'final' },
  },
}

let world: FrontWorld
let closeServer: () => Promise<void>
beforeAll(async () => {
  const server = await askingServer('new', 'http')
  closeServer = server.close
  world = await openFrontWorld({ upstreams: { asker: server.spec } })
  await save(world.runtime, steps)
}, 60_000)
afterAll(async () => {
  await world.close()
  await closeServer()
})

const uri = 'note://a'

/** Each as a client of the new era asks for it. */
const lists: readonly [string, (client: Client) => Promise<object>][] = [
  ['tools/list', (client) => client.listTools()],
  ['resources/list', (client) => client.listResources()],
  ['resources/templates/list', (client) => client.listResourceTemplates()],
  ['prompts/list', (client) => client.listPrompts()],
  ['resources/read', (client) => client.readResource({ uri })],
]

describe('what a state may change', () => {
  test.each(lists)('SH-18f: is kept by nobody: %s', async (_, ask) => {
    const caller = newAgent()
    await start(world.runtime, caller, { workflow: 'steps' })
    const client = await world.connect(caller)
    expect(await ask(client)).toMatchObject({ ttlMs: 0, cacheScope: 'private' })
  })

  test('SH-18f: a resource is judged at every read, whatever its server says', async () => {
    const caller = newAgent()
    const run = await start(world.runtime, caller, { workflow: 'steps' })
    const client = await world.connect(caller)
    await client.readResource({ uri })
    await client.readResource({ uri })
    const entries = await world.runtime.store.runs.entries(run, { after: 0, limit: 20 })
    const decided = entries.filter(({ entry }) => entry.type === 'call_decided')
    expect(decided).toHaveLength(2)
  })
})

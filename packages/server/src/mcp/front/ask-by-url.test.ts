import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FrontWorld, hostile, openFrontWorld } from '../../../testing/gateway.ts'
import { mcpClients } from '../../../testing/mcp-clients.ts'
import { newAgent } from '../../../testing/mcp-server.ts'
import { ann, save, start } from '../../../testing/runtime.ts'
import { resolveApproval } from '../../runtime/runs/approvals.ts'

const asking = {
  id: 'asking',
  initial: 'working',
  states: { working: { on: { DONE: 'done' } }, done: { type: 'final' } },
  policy: { default: 'allow', ask: [{ capability: 'mcp:evil:echo' }, { capability: 'write' }] },
}

let world: FrontWorld
let clients: ReturnType<typeof mcpClients>
beforeAll(async () => {
  world = await openFrontWorld({ upstreams: { evil: hostile }, tools: true })
  await save(world.runtime, asking)
  clients = mcpClients((request, caller) => world.gateway.mcp.answer(request, caller), {
    elicitation: { form: {}, url: {} },
  })
}, 60_000)
afterAll(async () => {
  await clients.close()
  await world.close()
})

type Verdict = 'approve' | 'reject'
type ShownPage = { mode?: string; url?: string; message?: string }

/** A client whose person answers on the page that they are shown, or turns the page down. */
async function withPerson(client: Client, verdict: Verdict, action: 'accept' | 'decline') {
  const shown: ShownPage[] = []
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    shown.push(params as ShownPage)
    const approvalId = new URL(String((params as ShownPage).url)).searchParams.get('approval') ?? ''
    const done = await resolveApproval(world.runtime, ann, { approvalId, verdict })
    expect(done.ok).toBe(true)
    return { action }
  })
  return shown
}

async function connected(era: 'auto' | 'legacy') {
  const caller = newAgent()
  const run = await start(world.runtime, caller, { workflow: 'asking' })
  return { run, client: await clients.connect(caller, era) }
}

describe.each(['auto', 'legacy'] as const)('a call that waits for a person (%s)', (era) => {
  const calls = [
    ['a tool behind the gateway', { name: 'echo', arguments: { a: 1 } }],
    ['a tool of ours', { name: 'Write', arguments: { path: 'a.txt', content: 'a' } }],
  ] as const
  test.each(calls)('PO-7f: shows its page where the client can: %s', async (_, call) => {
    const { run, client } = await connected(era)
    const shown = await withPerson(client, 'approve', 'accept')
    const result = await client.callTool(call)
    expect(result.isError ?? false, JSON.stringify(result)).toBe(false)
    expect(shown).toHaveLength(1)
    expect(shown[0]).toMatchObject({
      mode: 'url',
      url: expect.stringMatching(/^http:\/\/localhost:4747\/\?approval=apr_/),
      message: 'Statewright: this call waits for your approval.',
    })
    const asked = await world.runtime.store.approvals.list({ runId: run, limit: 10 })
    expect(asked.map(({ status }) => status)).toEqual(['approved'])
  })

  test('PO-7f: what the client answers is no verdict', async () => {
    const { client } = await connected(era)
    // The person rejected it on the page; the client says that all is well.
    await withPerson(client, 'reject', 'accept')
    const rejected = await client.callTool({ name: 'echo', arguments: { a: 2 } })
    expect([rejected.isError, JSON.stringify(rejected)]).toEqual([
      true,
      expect.stringContaining('approval_rejected'),
    ])
    // And the other way round.
    const other = await connected(era)
    await withPerson(other.client, 'approve', 'decline')
    const approved = await other.client.callTool({ name: 'echo', arguments: { a: 3 } })
    expect(approved.isError ?? false).toBe(false)
  })
})

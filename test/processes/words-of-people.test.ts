import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DashboardWorld } from '../support/dashboard-world.ts'

/** What people and agents learn of each other at the checkpoints of a process. */

const gate = {
  name: 'gate',
  initial: 'plan',
  states: {
    plan: {
      question: 'Deploy?',
      answers: {
        yes: { next: 'sure', action: 'notify_human' },
        last: { next: null, action: 'notify_human' },
      },
    },
    sure: { question: 'Sure?', answers: { ok: { next: null } } },
  },
}
const capped = {
  name: 'capped',
  initial: 'plan',
  session_budget_usd: 0.1,
  states: { plan: { question: 'Go?', answers: { again: { next: 'plan' }, end: { next: null } } } },
}

let world: DashboardWorld
const clients: Client[] = []

beforeAll(async () => {
  world = await DashboardWorld.open()
  for (const process of [gate, capped]) {
    await world.person('PUT', `/api/processes/${process.name}`, process)
  }
}, 60_000)

afterAll(async () => {
  for (const client of clients) await client.close()
  await world.close()
})

/** An agent of its own, with a run and its connection to /mcp/process. */
async function agentIn(process: string) {
  const { token } = await world.person('POST', '/api/tokens', { kind: 'agent', name: 'bot-7' })
  const { run_id: run } = await world.ask(token, 'POST', '/api/runs', { process })
  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  const url = new URL(`${world.url}/mcp/process`)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
  clients.push(client)
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const { content } = await client.callTool({ name, arguments: args })
    const [first] = content as { text: string }[]
    return JSON.parse(first?.text ?? '{}')
  }
  const check = () =>
    world.ask(token, 'POST', '/api/check', { run, tool: 'Bash', input: { command: 'ls' } })
  return { run, token, call, check }
}

async function answer(run: string, verdict: 'approve' | 'reject', words: object) {
  const { approvals } = await world.person('GET', `/api/approvals?run=${run}`)
  return world.person('POST', `/api/approvals/${approvals[0].approval_id}/${verdict}`, words)
}

describe('what a person wrote', () => {
  test('WF-22, PR-4: reaches an agent that only answers questions', async () => {
    const { run, call } = await agentIn('gate')
    const asked = await call('process_step', { answer: 'yes' })
    expect(asked.brief).toContain('waits for a person (The agent answered "yes" to: Deploy?)')
    await answer(run, 'approve', { note: 'only after six' })
    expect((await call('process_state')).brief).toContain(
      'A person approved yes and wrote: only after six',
    )
  })

  test('WF-22, PR-4: reaches an agent whose run ended with the verdict', async () => {
    const { run, token, call } = await agentIn('gate')
    await call('process_step', { answer: 'last' })
    await answer(run, 'approve', { note: 'well done' })
    const over = await call('process_state')
    expect(over).toMatchObject({ code: 'no_active_run' })
    expect(over.message).toContain('has ended: completed. A person approved last and wrote: well')
    // What the doors of workflows advise is not offered here.
    expect(over.next).toBe('ask a person to start one: statewright process start NAME.')
    expect((await world.ask(token, 'GET', `/api/runs/${run}`)).brief).toContain('well done')
  })

  test('WF-22, PR-4: reaches an agent that it blocked, however it asks', async () => {
    const { run, call, check } = await agentIn('gate')
    await call('process_step', { answer: 'yes' })
    const { approvals } = await world.person('GET', `/api/approvals?run=${run}`)
    expect(approvals[0].if_rejected).toContain('the run ends as blocked')
    await answer(run, 'reject', { reason: 'use the mirror' })
    expect((await check()).message).toContain('A person rejected yes and wrote: use the mirror')
    const { status, brief } = await call('process_state', { run })
    expect([status, brief]).toEqual(['blocked', expect.stringContaining('wrote: use the mirror')])
  })
})

describe('what a person is shown', () => {
  test('PO-7: says which agent asks, in which role, and why it answered so', async () => {
    const { run, call } = await agentIn('gate')
    await call('process_step', { answer: 'yes', rationale: 'all tests are green' })
    const { approvals } = await world.person('GET', `/api/approvals?run=${run}`)
    expect(approvals).toMatchObject([
      { agent: 'bot-7', role: 'agent', rationale: 'all tests are green', event: 'yes' },
    ])
  })
})

describe('a denial by a limit', () => {
  test('PR-9: advises no answer, by which the agent would get round it', async () => {
    const { run, token, check } = await agentIn('capped')
    await world.ask(token, 'POST', `/api/runs/${run}/cost`, { cost_usd: 0.2 })
    const denied = await check()
    expect(denied).toMatchObject({ code: 'session_budget_exhausted', events: [] })
    expect(JSON.stringify(denied)).not.toMatch(/send one of|again|\bend\b/)
  })
})

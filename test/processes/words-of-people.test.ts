import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DashboardWorld } from '../../packages/server/testing/dashboard/world.ts'

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
        stop: { next: null, action: 'block' },
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

const rated = {
  name: 'rated',
  initial: 'plan',
  states: { plan: { question: 'Go?', answers: { end: { next: null } } } },
  policy: {
    role: 'agent',
    allow: [{ capability: 'bash', rate_limit: { max_calls: 1, window_seconds: 3600 } }],
  },
}

let world: DashboardWorld
const clients: Client[] = []

beforeAll(async () => {
  world = await DashboardWorld.open()
  for (const process of [gate, capped, rated]) {
    await world.person('PUT', `/api/processes/${process.name}`, process)
  }
}, 60_000)

afterAll(async () => {
  for (const client of clients) await client.close()
  await world.close()
})

/** An agent of its own, with a run and its connection to /mcp/process. */
async function agentIn(process: string) {
  const made = await world.person('POST', '/api/tokens', { kind: 'agent', name: 'bot-7' })
  const { token, id: tokenId } = made
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
  return { run, token, tokenId, call, check }
}

async function answer(run: string, verdict: 'approve' | 'reject', words: object) {
  const { approvals } = await world.person('GET', `/api/approvals?run=${run}`)
  return world.person('POST', `/api/approvals/${approvals[0].approval_id}/${verdict}`, words)
}

describe('what a person wrote', () => {
  test('WF-22, PR-4: reaches an agent that only answers questions', async () => {
    const { run, call } = await agentIn('gate')
    const request = await call('process_step', { answer: 'yes' })
    expect(request.brief).toContain('waits for a person (The agent answered "yes" to: Deploy?)')
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
    const { brief } = await world.ask(token, 'GET', `/api/runs/${run}`)
    expect(brief).toContain('Spent: 0.2 of 0.1 USD of the session budget in this run.')
  })

  test('PO-4: says when there is room again, for programs too', async () => {
    const { check } = await agentIn('rated')
    expect((await check()).decision).toBe('allow')
    const { reasons } = await check()
    expect(reasons).toMatchObject([{ code: 'rate_exceeded', path: 'policy.allow.0.rate_limit' }])
    const { resets_at, message } = reasons[0]
    expect(message).toContain(`Try again after ${resets_at}.`)
  })
})

describe('a run that ended blocked', () => {
  test('PR-4: is shown so, and leaves the agent to what a person starts since', async () => {
    const { run, call, tokenId } = await agentIn('gate')
    await call('process_step', { answer: 'stop' })
    expect(await world.person('GET', `/api/runs/${run}`)).toMatchObject({ status: 'blocked' })
    const next = await world.person('POST', '/api/runs', { process: 'gate', agent: tokenId })
    expect(await call('process_state')).toMatchObject({ run_id: next.run_id, question: 'Deploy?' })
    expect(await call('memory_list')).toEqual({ memories: [] })
  })
})

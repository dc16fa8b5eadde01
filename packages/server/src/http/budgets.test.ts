import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestServer, testServer } from '../../testing/server.ts'

let server: TestServer
let person: string
let agent: string
let now = 0
let ids = 0

beforeAll(async () => {
  const clock = { now: () => now, newId: (kind: string) => `${kind}_${++ids}` }
  const prices = { 'mine-*': { input: 1, output: 10 } }
  server = await testServer({ clock, settings: { prices } })
  person = await server.token('person')
  agent = await server.token('agent')
})

beforeEach(() => {
  now = Date.UTC(2027, 11, 31, 23, 30)
})

afterAll(() => server.close())

function ask(method: string, path: string, token: string, body?: unknown) {
  return server.ask(method, path, { token, ...(body === undefined ? {} : { body }) })
}

/** A process of its own, whose one paid tool has this budget. */
async function startWith(fields: object): Promise<string> {
  const name = `paid-${++ids}`
  const states = { a: { question: 'Done?', answers: { yes: { next: null } } } }
  const saved = await ask('POST', '/api/processes', person, {
    name,
    initial: 'a',
    states,
    ...fields,
  })
  expect(saved.status).toBe(201)
  return (await ask('POST', '/api/runs', agent, { process: name })).body.run_id
}

function budget(period: string, max_usd: number) {
  const limit = { max_usd, period }
  return {
    policy: { allow: [{ capability: 'mcp:paid:*', budget_limit: limit, reserve_usd: 1 }] },
  }
}

/** Makes a call that costs so much; gives back what was decided. */
async function pay(run: string, cost_usd?: number, tool = 'mcp__paid__look') {
  const call_id = `c${++ids}`
  const answer = await ask('POST', '/api/check', agent, {
    run,
    call_id,
    tool,
    input: {},
  })
  if (answer.body.decision === 'allow' && cost_usd !== undefined) {
    const body = { run, call_id, exit: 'success', cost_usd }
    expect((await ask('POST', '/api/result', agent, body)).status).toBe(200)
  }
  return answer.body
}

describe('budgets', () => {
  test.each([
    ['hourly', [2027, 11, 31, 23, 30], [2028, 0, 1, 0, 0]],
    ['daily', [2028, 1, 28, 12, 0], [2028, 1, 29, 0, 0]],
    ['daily', [2028, 1, 29, 12, 0], [2028, 2, 1, 0, 0]],
    ['daily', [2027, 1, 28, 12, 0], [2027, 2, 1, 0, 0]],
    ['monthly', [2028, 1, 29, 12, 0], [2028, 2, 1, 0, 0]],
    ['monthly', [2027, 0, 31, 23, 59], [2027, 1, 1, 0, 0]],
    ['monthly', [2027, 11, 31, 23, 59], [2028, 0, 1, 0, 0]],
  ] as const)(
    'PO-6: a %s one that is used up at %s has room again at %s',
    async (period, from, to) => {
      now = Date.UTC(from[0], from[1], from[2], from[3], from[4])
      const reset = Date.UTC(to[0], to[1], to[2], to[3], to[4])
      const run = await startWith(budget(period, 2))
      expect((await pay(run, 2)).decision).toBe('allow')
      const denied = await pay(run)
      expect(denied).toMatchObject({ decision: 'deny', code: 'budget_exceeded' })
      expect(denied.message).toContain('$2.00 used')
      expect(denied.message).toContain(new Date(reset).toISOString())
      expect(denied.reasons[0].path).toBe('policy.allow.0.budget_limit')
      now = reset - 1
      expect((await pay(run)).code).toBe('budget_exceeded')
      now = reset
      expect((await pay(run, 0)).decision).toBe('allow')
    },
  )

  test('PO-6: a clock that steps back over a month end gives no fresh budget', async () => {
    now = Date.UTC(2028, 2, 1, 0, 30)
    const run = await startWith(budget('monthly', 2))
    expect((await pay(run, 2)).decision).toBe('allow')
    now = Date.UTC(2028, 1, 29, 23, 30)
    expect((await pay(run)).code).toBe('budget_exceeded')
    now = Date.UTC(2028, 2, 1, 0, 40)
    expect((await pay(run)).code).toBe('budget_exceeded')
    now = Date.UTC(2028, 3, 1)
    expect((await pay(run, 0)).decision).toBe('allow')
  })

  test('PO-6: calls on their way count, and one whose result is lost frees its money', async () => {
    const run = await startWith(budget('daily', 2))
    now = Date.UTC(2028, 5, 1, 12)
    expect((await pay(run, 0)).decision).toBe('allow')
    expect([(await pay(run)).decision, (await pay(run)).decision]).toEqual(['allow', 'allow'])
    expect((await pay(run)).code).toBe('budget_exceeded')
    now += 10 * 60_000
    expect((await pay(run, 0.5)).decision).toBe('allow')
  })
})

describe('PR-9d: what one report may cost', () => {
  test('PR-9d: a report above the limit is refused, and one at it counts', async () => {
    const run = await startWith({ session_budget_usd: 1000 })
    const cost = `/api/runs/${run}/cost`
    const total = async () => (await ask('POST', cost, agent, { cost_usd: 0 })).body.total_usd
    const dear = await ask('POST', cost, agent, { cost_usd: 10.01 })
    expect(dear).toMatchObject({ status: 400, body: { code: 'usage' } })
    expect(dear.body.message).toContain('max_cost_report_usd')
    const usage = { input: 1_000_000_000, output: 1_000_000_000 }
    const tokens = await ask('POST', cost, agent, { model: 'mine-7b', usage })
    expect(tokens).toMatchObject({ status: 400, body: { code: 'usage' } })
    expect(await total()).toBe(0)
    expect((await ask('POST', cost, agent, { cost_usd: 10 })).status).toBe(200)
    expect(await total()).toBe(10)
  })

  test('PR-9d: a result that tells more is refused, and can be told again', async () => {
    const run = await startWith({ session_budget_usd: 1000 })
    const call = { run, call_id: 'dear', tool: 'mcp__paid__look' }
    expect((await ask('POST', '/api/check', agent, { ...call, input: {} })).body.decision).toBe(
      'allow',
    )
    const result = { run, call_id: 'dear', exit: 'success' }
    const dear = await ask('POST', '/api/result', agent, { ...result, cost_usd: 1_000_000 })
    expect(dear).toMatchObject({ status: 400, body: { code: 'usage' } })
    const good = await ask('POST', '/api/result', agent, { ...result, cost_usd: 0.5 })
    expect(good.status).toBe(200)
  })
})

describe('PR-9: session_budget_usd', () => {
  test('PR-9: once it is spent every tool but ours is denied, whoever told the cost', async () => {
    const run = await startWith({ session_budget_usd: 1 })
    expect((await pay(run, 0.4)).decision).toBe('allow')
    const cost = `/api/runs/${run}/cost`
    expect((await ask('POST', cost, agent, { cost_usd: 0.5 })).body).toEqual({
      run_id: run,
      cost_usd: 0.5,
      total_usd: 0.9,
    })
    const model = { model: 'mine-7b', usage: { input: 99_999, output: 0 } }
    expect((await ask('POST', cost, agent, model)).body.total_usd).toBe(0.999999)
    // It has told that it costs 0.40, and so much is not left.
    expect((await pay(run)).code).toBe('session_budget_exhausted')
    expect((await pay(run, 0, 'mcp__paid__free')).decision).toBe('allow')
    expect((await ask('POST', cost, agent, { cost_usd: 0.0000001 })).body.total_usd).toBe(1)
    const denied = await pay(run, 0, 'mcp__paid__free')
    expect(denied).toMatchObject({ decision: 'deny', code: 'session_budget_exhausted' })
    expect(denied.message).toContain('1 of 1 USD')
    expect((await ask('POST', `/api/runs/${run}/answer`, agent, { answer: 'yes' })).status).toBe(
      200,
    )
  })

  test('PR-9: forty calls at once cannot spend more than it, however often they try', async () => {
    const run = await startWith({ session_budget_usd: 1 })
    let spent = 0
    for (let round = 0; round < 4; round++) {
      const decided = await Promise.all(Array.from({ length: 40 }, () => pay(run, 0.2)))
      spent += decided.filter((one) => one.decision === 'allow').length * 0.2
    }
    expect(spent).toBeCloseTo(1)
    expect((await pay(run)).code).toBe('session_budget_exhausted')
    expect((await ask('GET', `/api/runs/${run}/verify`, person)).body).toMatchObject({ ok: true })
  })

  test('PR-9c: a second run of a session or token gives no fresh one, a person does', async () => {
    const run = await startWith({ session_budget_usd: 1 })
    const { workflow } = (await ask('GET', `/api/runs/${run}`, agent)).body
    const start = async (token: string, more: object = {}) =>
      (await ask('POST', '/api/runs', token, { process: workflow, ...more })).body.run_id
    const cost = (of: string) => ask('POST', `/api/runs/${of}/cost`, agent, { cost_usd: 1 })
    await cost(run)
    await ask('POST', `/api/runs/${run}/answer`, agent, { answer: 'yes' })
    expect((await pay(await start(agent))).code).toBe('session_budget_exhausted')
    const [first, second] = [{ session: 'first' }, { session: 'second' }]
    for (const invented of [first, second]) {
      expect((await pay(await start(agent, invented))).code).toBe('session_budget_exhausted')
    }
    // A session that the client's own hooks told of has a budget of its own.
    const whose = {
      tokenId: (await ask('GET', '/api/me', agent)).body.id,
      role: 'agent',
      name: 'a',
    }
    await server.server.runtime.sessions.keysOf({ ...whose, kind: 'hook' }, 'third')
    const third = await start(agent, { session: 'third' })
    expect((await pay(third, 0)).decision).toBe('allow')
    await cost(third)
    expect((await pay(await start(agent, { session: 'third' }))).code).toBe(
      'session_budget_exhausted',
    )
    const given = await start(person, first)
    expect((await pay(given, 0)).decision).toBe('allow')
    await cost(given)
    await ask('POST', `/api/runs/${given}/answer`, agent, { answer: 'yes' })
    expect((await pay(await start(agent, first))).code).toBe('session_budget_exhausted')
  })

  test('PR-9c: no number of further runs makes what a person gave a fresh allowance', async () => {
    const own = await startWith({ session_budget_usd: 1 })
    const { workflow } = (await ask('GET', `/api/runs/${own}`, agent)).body
    await ask('POST', `/api/runs/${own}/answer`, agent, { answer: 'yes' })
    await ask('POST', '/api/runs', person, { process: workflow })
    const start = async () =>
      (await ask('POST', '/api/runs', agent, { process: workflow })).body.run_id
    await ask('POST', `/api/runs/${await start()}/cost`, agent, { cost_usd: 1 })
    for (let n = 0; n < 101; n++) await start()
    expect((await pay(await start())).code).toBe('session_budget_exhausted')
  })

  test('PO-6a: until a tool has told its cost, its calls run one after the other', async () => {
    const run = await startWith(budget('daily', 5))
    const three = await Promise.all(Array.from({ length: 5 }, () => pay(run, 3)))
    expect(three.filter((one) => one.decision === 'allow')).toHaveLength(1)
    const waits = three.find((one) => one.decision === 'deny')
    expect(waits.message).toContain('its cost is not known yet')
    expect((await pay(run)).code).toBe('budget_exceeded')
    const free = await startWith(budget('daily', 5))
    const body = { run: free, call_id: 'f1' }
    await ask('POST', '/api/check', agent, { ...body, tool: 'mcp__paid__look', input: {} })
    await ask('POST', '/api/result', agent, { ...body, exit: 'success' })
    const five = await Promise.all(Array.from({ length: 5 }, () => pay(free)))
    expect(five.every((one) => one.decision === 'allow')).toBe(true)
  })

  test('PR-9a: a model without a price is told to the caller and in the history', async () => {
    const run = await startWith({ session_budget_usd: 1 })
    const body = { model: 'nobody-knows-1', usage: { input: 10, output: 5 } }
    const reported = await ask('POST', `/api/runs/${run}/cost`, agent, body)
    expect([reported.status, reported.body.code]).toEqual([409, 'unknown_model'])
    expect(reported.body.next).toContain('prices')
    const { entries } = (await ask('GET', `/api/runs/${run}/entries`, agent)).body
    expect(entries.at(-1)).toMatchObject({ type: 'notice', code: 'unknown_model' })
    expect((await ask('GET', `/api/runs/${run}/verify`, person)).body).toMatchObject({ ok: true })
  })

  test.each([{}, { cost_usd: -1 }, { model: 'mine-1' }, { cost_usd: 1, model: 'm', usage: {} }])(
    'PR-9: %j is no cost',
    async (body) => {
      const run = await startWith({})
      expect((await ask('POST', `/api/runs/${run}/cost`, agent, body)).status).toBe(400)
    },
  )
})

describe('GET /api/usage', () => {
  test('PO-5: it tells what each rule has left, when it resets, and what was spent', async () => {
    now = Date.UTC(2030, 0, 31, 23, 10)
    const run = await startWith(budget('daily', 2))
    await pay(run, 1.5)
    now = Date.UTC(2030, 1, 1, 0, 20)
    await pay(run, 2)
    const { body } = await ask('GET', '/api/usage?hours=3&days=2', person)
    const name = (await ask('GET', `/api/runs/${run}`, agent)).body.workflow
    expect(
      body.rules.filter((one: { policy: string }) => one.policy === `process:${name}`),
    ).toEqual([
      {
        policy: `process:${name}`,
        role: 'agent',
        rule: { list: 'allow', index: 0, capability: 'mcp:paid:*', path: 'policy.allow.0' },
        kind: 'budget',
        period: 'daily',
        used: 2,
        max: 2,
        resets_at: '2030-02-02T00:00:00.000Z',
        free: false,
      },
    ])
    expect(body.spend).toEqual({
      hours: [
        { at: Date.parse('2030-01-31T22:00:00.000Z'), cost_usd: 0 },
        { at: Date.parse('2030-01-31T23:00:00.000Z'), cost_usd: 1.5 },
        { at: Date.parse('2030-02-01T00:00:00.000Z'), cost_usd: 2 },
      ],
      days: [
        { at: Date.parse('2030-01-31T00:00:00.000Z'), cost_usd: 1.5 },
        { at: Date.parse('2030-02-01T00:00:00.000Z'), cost_usd: 2 },
      ],
    })
    const other = await server.token('agent', 'another')
    const theirs = (await ask('GET', '/api/usage?hours=3&days=2', other)).body
    expect(theirs.spend.days.map((one: { cost_usd: number }) => one.cost_usd)).toEqual([0, 0])
  })
})

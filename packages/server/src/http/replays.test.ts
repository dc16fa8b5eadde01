import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestServer, testServer } from '../../testing/server.ts'

let server: TestServer
let person: string
let agent: string
let now = Date.UTC(2026, 1, 3, 12)
let ids = 0

const states = {
  planning: { allowed_tools: ['Read', 'Grep'], on: { READY: 'coding' } },
  coding: { on: { DONE: 'done' } },
  done: { type: 'final' },
}
const fix = { id: 'fix', initial: 'planning', states }

beforeAll(async () => {
  const clock = { now: () => now, newId: (kind: string) => `${kind}_${++ids}` }
  server = await testServer({ clock })
  person = await server.token('person')
  agent = await server.token('agent')
})

afterAll(() => server.close())

function ask(method: string, path: string, token: string, body?: unknown) {
  return server.ask(method, path, { token, ...(body === undefined ? {} : { body }) })
}

async function save(definition: { id: string }): Promise<void> {
  const saved = await ask('PUT', `/api/workflows/${definition.id}`, person, definition)
  expect(saved.status).toBe(200)
}

async function start(workflow: string): Promise<string> {
  return (await ask('POST', '/api/runs', agent, { workflow })).body.run_id
}

async function call(run: string, tool: string, input: object): Promise<string> {
  now += 1000
  const { body } = await ask('POST', '/api/check', agent, { run, tool, input })
  const result = { run, call_id: body.call_id, exit: 'success', bytes: 1 }
  if (body.decision === 'allow') await ask('POST', '/api/results', agent, result)
  return body.decision
}

async function send(run: string, event: string) {
  now += 1000
  return ask('POST', `/api/runs/${run}/transition`, agent, { event })
}

/** Tries rules and waits for the report. */
async function replay(rules: object) {
  const started = await ask('POST', '/api/replays', person, rules)
  expect([started.status, started.body.status]).toEqual([202, 'running'])
  return done(started.body.replay_id)
}

async function done(id: string) {
  for (;;) {
    const { body } = await ask('GET', `/api/replays/${id}`, person)
    if (body.status !== 'running') return body
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const withCoding = (id: string, coding: object) => {
  return JSON.stringify({ ...fix, id, states: { ...states, coding } })
}

test('RP-1, RP-3: calls that a changed workflow would deny are told, the run goes on', async () => {
  await save(fix)
  const run = await start('fix')
  expect(await call(run, 'Read', { file_path: 'a.ts' })).toBe('allow')
  expect(await call(run, 'Write', { file_path: 'a.ts', content: 'x' })).toBe('deny')
  expect((await send(run, 'READY')).status).toBe(200)
  expect(await call(run, 'Bash', { command: 'git push --force origin main' })).toBe('allow')
  expect(await call(run, 'Bash', { command: 'npm test' })).toBe('allow')
  await send(run, 'DONE')

  const same = await replay({ definition: JSON.stringify(fix) })
  expect(same.report).toMatchObject({ runs: 1, decisions: 4, same: 4, undecided: 0, telling: [] })
  expect(same.entries).toBe(same.of)

  const listed = { allowed_tools: ['Bash'], allowed_commands: ['npm test'], on: { DONE: 'done' } }
  const { status, report } = await replay({ definition: withCoding('fix', listed) })
  expect(status).toBe('done')
  expect(report).toMatchObject({
    same: 3,
    differences: { newly_denied: 1, newly_asked: 0, newly_allowed: 0, no_longer_asked: 0 },
    divergences: { total: 0 },
    programs: [{ name: 'git push', kind: 'newly_denied', count: 1 }],
    rules: [{ name: 'states.coding.allowed_commands', count: 1 }],
  })
  expect(report.telling).toMatchObject([
    { run, shown: 'git push --force origin main', before: 'allow', after: 'deny', state: 'coding' },
  ])
  expect(report.telling[0].link).toMatch(new RegExp(`^/runs/${run}\\?at=\\d+$`))
})

test('RP-3: a move that would go otherwise ends the comparison of its run', async () => {
  await save({ ...fix, id: 'moved' })
  const run = await start('moved')
  await send(run, 'READY')
  await call(run, 'Bash', { command: 'ls' })
  await send(run, 'DONE')
  const guarded = {
    ...fix,
    id: 'moved',
    guards: { planned: { field: 'plan', op: 'exists' } },
    states: {
      ...states,
      planning: { ...states.planning, on: { READY: { target: 'coding', guard: 'planned' } } },
    },
  }
  const { report } = await replay({ definition: JSON.stringify(guarded) })
  expect(report.decisions).toBe(0)
  const [first] = report.divergences.first
  expect(first).toMatchObject({ run, expected: 'planning → coding (READY)' })
  expect(first.instead).toMatch(/^refused \(guard_failed\)/)
  expect(first.not_compared).toBeGreaterThan(1)
})

test('RP-4: a condition reads the stored input; what is hidden there decides nothing', async () => {
  await save({ ...fix, id: 'args' })
  const run = await start('args')
  await send(run, 'READY')
  await call(run, 'mcp__bank__pay', { to: 'ann', amount: 5 })
  await call(run, 'mcp__bank__pay', { to: 'bob', amount: 500 })
  await call(run, 'mcp__bank__pay', { to: 'eve', amount: 5, password: 'hunter2-hunter2' })
  const payments = (require: string) => {
    const calls = { mcp__bank__pay: [{ require, message: 'Too much.' }] }
    return { definition: JSON.stringify({ ...fix, id: 'args', calls }) }
  }
  const bounded = await replay(payments('args.amount < 100'))
  expect(bounded.report).toMatchObject({ same: 2, differences: { newly_denied: 1 }, undecided: 0 })
  expect(bounded.report.telling[0].shown).toBe('mcp__bank__pay to: bob, amount: 500')
  const secret = await replay(payments('!has(args.password) || args.password != "x"'))
  expect(secret.report).toMatchObject({ same: 2, undecided: 1 })
  expect(secret.report.missing).toMatchObject([{ name: 'args.password', count: 1 }])
})

test('RP-6, RP-7: a policy stands for that of its name; its rates are counted anew', async () => {
  await save({ ...fix, id: 'rated' })
  const policy = { role: 'agent', ask: [{ capability: 'webfetch' }] }
  await ask('PUT', '/api/policies/team', person, { policy })
  const runs = [await start('rated'), await start('rated')]
  for (const run of runs) await send(run, 'READY')
  for (let round = 0; round < 2; round++) {
    for (const run of runs) await call(run, 'Bash', { command: 'ls' })
  }
  expect(await call(runs[0] ?? '', 'WebFetch', { url: 'https://example.org' })).toBe('ask')
  const rate_limit = { max_calls: 3, window_seconds: 60 }
  const tried = { role: 'agent', allow: [{ capability: 'bash', rate_limit }] }
  const { report } = await replay({ policy: tried, name: 'team', workflow: 'rated' })
  expect(report).toMatchObject({
    runs: 2,
    differences: { newly_denied: 1, no_longer_asked: 1 },
    notes: [{ text: 'Rates and budgets count these runs only.', count: 1 }],
  })
  const denied = report.telling.find(({ after }: { after: string }) => after === 'deny')
  expect(denied).toMatchObject({ run: runs[1], code: 'rate_exceeded' })
  await ask('DELETE', '/api/policies/team', person)
})

test('RP-8: what cannot be tried is refused, and an agent tries nothing', async () => {
  const refused = async (body: object, token = person) => {
    const answer = await ask('POST', '/api/replays', token, body)
    return [answer.status, answer.body.code, answer.body.where ?? null]
  }
  const definition = JSON.stringify(fix)
  expect(await refused({})).toEqual([400, 'usage', null])
  expect(await refused({ definition, policy: {} })).toEqual([400, 'usage', null])
  expect(await refused({ policy: {} })).toEqual([400, 'usage', 'name'])
  expect(await refused({ definition: '{"id": 1}' })).toEqual([422, 'definition_invalid', null])
  expect(await refused({ definition }, agent)).toEqual([403, 'not_permitted', null])
  const unknown = await ask('GET', '/api/replays/nobody', person)
  expect([unknown.status, unknown.body.code]).toEqual([404, 'not_found'])
})

test('RP-9: one replay runs at a time, and it can be stopped', async () => {
  const definition = JSON.stringify(fix)
  const { body: first } = await ask('POST', '/api/replays', person, { definition })
  const second = await ask('POST', '/api/replays', person, { definition })
  expect([second.status, second.body.code]).toEqual([429, 'too_many_requests'])
  const stopped = await ask('DELETE', `/api/replays/${first.replay_id}`, person)
  expect(stopped.body.status).toBe('cancelled')
  expect((await done(first.replay_id)).status).toBe('cancelled')
  expect((await replay({ definition })).status).toBe('done')
})

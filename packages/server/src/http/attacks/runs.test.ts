import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { release, type TestServer, testServer } from '../../../testing/server.ts'

let server: TestServer
let person: string
let agent: string
let other: string

const asking = {
  id: 'asking',
  initial: 'work',
  states: { work: { on: { END: 'end' } }, end: { type: 'final' } },
  policy: { ask: [{ capability: 'bash' }], default: 'allow' },
}

beforeAll(async () => {
  server = await testServer()
  person = await server.token('person')
  agent = await server.token('agent', 'one')
  other = await server.token('agent', 'other')
  for (const definition of [release, asking]) {
    const saved = await server.ask('PUT', `/api/workflows/${definition.id}`, {
      token: person,
      body: definition,
    })
    expect([saved.text, saved.status]).toEqual([saved.text, 200])
  }
})

afterAll(() => server.close())

async function start(token: string, body: object): Promise<string> {
  return (await server.ask('POST', '/api/runs', { token, body })).body.run_id
}

describe('another agent’s run', () => {
  test('is as good as none, on every route that names a run', async () => {
    const run = await start(agent, { workflow: 'release' })
    const ofRuns = server.routes.filter(
      ({ path, who }) => path.startsWith('/api/runs/:id') && who !== 'person',
    )
    expect(ofRuns.length).toBeGreaterThan(8)
    const bodies: Readonly<Record<string, object>> = {
      '/api/runs/:id/transition': { event: 'START' },
      '/api/runs/:id/answer': { answer: 'yes' },
      '/api/runs/:id/explain': { tool: 'Read' },
      '/api/runs/:id/cost': { cost_usd: 1 },
    }
    for (const { method, path } of ofRuns) {
      const body = bodies[path] ?? {}
      const ask = method === 'GET' ? { token: other } : { token: other, body }
      const answer = await server.ask(method, path.replace(':id', run), ask)
      expect([path, answer.status, answer.body.code]).toEqual([path, 404, 'unknown_run'])
    }
    const check = await server.ask('POST', '/api/check', {
      token: other,
      body: { run, tool: 'Read', input: {} },
    })
    expect([check.status, check.body.code]).toEqual([404, 'unknown_run'])
    const result = await server.ask('POST', '/api/result', {
      token: other,
      body: { run, call_id: 'x' },
    })
    expect([result.status, result.body.code]).toEqual([404, 'unknown_run'])
    const { body } = await server.ask('GET', '/api/runs', { token: other })
    expect(body.runs).toEqual([])
    const history = await server.ask('GET', `/api/runs/${run}/entries`, { token: agent })
    expect(history.body.entries).toHaveLength(1)
  })

  test('its approvals are not shown either', async () => {
    const run = await start(agent, { workflow: 'asking' })
    await server.ask('POST', '/api/check', {
      token: agent,
      body: { run, tool: 'Bash', input: { command: 'ls' } },
    })
    const mine = await server.ask('GET', '/api/approvals', { token: agent })
    expect(mine.body.approvals.map((one: { run_id: string }) => one.run_id)).toContain(run)
    const others = await server.ask('GET', '/api/approvals', { token: other })
    expect(others.body.approvals).toEqual([])
  })
})

describe('a race', () => {
  test('of two transitions is won once', async () => {
    const run = await start(agent, { workflow: 'release', context: { plan: 1 } })
    const send = () =>
      server.ask('POST', `/api/runs/${run}/transition`, { token: agent, body: { event: 'START' } })
    const answers = await Promise.all([send(), send(), send(), send()])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    const { body } = await server.ask('GET', `/api/runs/${run}`, { token: agent })
    expect(body).toMatchObject({ state: 'working', transition_count: 1 })
  })

  test('of three verdicts counts one', async () => {
    const run = await start(agent, { workflow: 'release', context: { plan: 1 } })
    for (const event of ['START', 'PUBLISH']) {
      await server.ask('POST', `/api/runs/${run}/transition`, { token: agent, body: { event } })
    }
    const inbox = await server.ask('GET', `/api/approvals?run=${run}`, { token: person })
    const [{ approval_id }] = inbox.body.approvals
    const resolve = (verb: string) =>
      server.ask('POST', `/api/approvals/${approval_id}/${verb}`, {
        token: person,
        body: verb === 'reject' ? { reason: 'no' } : {},
      })
    const answers = await Promise.all([resolve('approve'), resolve('reject'), resolve('approve')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    const late = answers.filter(({ status }) => status === 409)
    expect(late.map(({ body }) => body.code)).toEqual(['approval_resolved', 'approval_resolved'])
  })

  test('of the same call id is counted once', async () => {
    const run = await start(agent, { workflow: 'release' })
    const body = { run, tool: 'Read', input: { file_path: 'a' }, call_id: 'same' }
    const ask = () => server.ask('POST', '/api/check', { token: agent, body })
    const answers = await Promise.all([ask(), ask(), ask()])
    expect(answers.map((one) => one.body.decision)).toEqual(['allow', 'allow', 'allow'])
    const { body: shown } = await server.ask('GET', `/api/runs/${run}`, { token: agent })
    expect(shown.iteration).toBe(1)
  })
})

describe('an approval', () => {
  const call = (run: string, command: string) =>
    server.ask('POST', '/api/check', {
      token: agent,
      body: { run, tool: 'Bash', input: { command } },
    })
  const approve = (id: string, body: object = {}) =>
    server.ask('POST', `/api/approvals/${id}/approve`, { token: person, body })

  test('PO-7: holds for the very arguments it was given for, and once', async () => {
    const run = await start(agent, { workflow: 'asking' })
    const request = await call(run, 'ls')
    expect(request.body).toMatchObject({ decision: 'ask', approval_id: expect.any(String) })
    expect((await approve(request.body.approval_id)).status).toBe(200)
    const changed = await call(run, 'rm -rf out')
    expect(changed.body.decision).toBe('ask')
    expect(changed.body.approval_id).not.toBe(request.body.approval_id)
    expect((await call(run, 'ls')).body.decision).toBe('allow')
    expect((await call(run, 'ls')).body.decision).toBe('ask')
    const replayed = await approve(request.body.approval_id)
    expect([replayed.status, replayed.body.code]).toEqual([409, 'approval_resolved'])
    expect((await call(run, 'ls')).body.decision).toBe('ask')
  })

  test('that does not exist is 404, whatever it is called', async () => {
    for (const id of ['apr_none', 'constructor', '__proto__', '%2e%2e%2f']) {
      const { status, body } = await approve(id)
      expect([status, body.code]).toEqual([404, 'unknown_approval'])
    }
  })

  test('shows the input it was asked for, without what looks secret', async () => {
    const run = await start(agent, { workflow: 'asking' })
    await call(run, 'curl -H sk-abcdefghijklmnopqrstuvwx')
    const { body, text } = await server.ask('GET', `/api/approvals?run=${run}`, { token: person })
    expect(body.approvals[0].input).toEqual({ command: 'curl -H [redacted]' })
    expect(text).not.toContain('abcdefghijklmnopqrstuvwx')
  })
})

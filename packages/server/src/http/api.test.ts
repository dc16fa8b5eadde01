import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { release, type TestServer, testServer } from '../../testing/server.ts'

let server: TestServer
let person: string
let agent: string

beforeAll(async () => {
  server = await testServer()
  person = await server.token('person')
  agent = await server.token('agent')
  const saved = await server.ask('PUT', '/api/workflows/release', { token: person, body: release })
  expect(saved.status).toBe(200)
})

afterAll(() => server.close())

async function start(token = agent, more: object = {}): Promise<string> {
  const body = { workflow: 'release', ...more }
  const { status, body: run } = await server.ask('POST', '/api/runs', { token, body })
  expect(status).toBe(201)
  return run.run_id
}

describe('a run over HTTP', () => {
  test('is started, moved, parked, approved and over', async () => {
    const started = await server.ask('POST', '/api/runs', {
      token: agent,
      body: { workflow: 'release', context: { plan: 'x' } },
    })
    expect(started.status).toBe(201)
    expect(started.body).toMatchObject({
      workflow: 'release',
      status: 'running',
      state: 'planning',
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      brief: expect.stringContaining('Phase: planning'),
    })
    const run = started.body.run_id
    const denied = await server.ask('POST', '/api/check', {
      token: agent,
      body: { run, tool: 'Write', input: { file_path: 'a.txt', content: 'x' } },
    })
    expect([denied.status, denied.body]).toEqual([
      200,
      {
        decision: 'deny',
        code: 'tool_not_allowed',
        message: expect.any(String),
        reasons: [expect.objectContaining({ code: 'tool_not_allowed' })],
        allowed_tools: ['Read', 'Grep'],
        events: [{ event: 'START', target: 'working' }],
        way: [{ event: 'START', target: 'working' }],
        run_id: run,
        call_id: expect.stringMatching(/^call_/),
        notices: [],
      },
    ])
    const moved = await server.ask('POST', `/api/runs/${run}/transition`, {
      token: agent,
      body: { event: 'START' },
    })
    expect([moved.status, moved.body]).toMatchObject([
      200,
      { transitioned: true, from: 'planning', to: 'working', transition_count: 1 },
    ])
    const parked = await server.ask('POST', `/api/runs/${run}/transition`, {
      token: agent,
      body: { event: 'PUBLISH' },
    })
    expect([parked.status, parked.body]).toMatchObject([202, { status: 'pending_approval' }])
    const { approval_id } = parked.body
    const inbox = await server.ask('GET', '/api/approvals?status=waiting', { token: person })
    expect(inbox.body.approvals).toContainEqual(
      expect.objectContaining({
        approval_id,
        run_id: run,
        kind: 'transition',
        event: 'PUBLISH',
        from: 'working',
        to: 'done',
        opened_at: expect.any(Number),
      }),
    )
    const byAgent = await server.ask('POST', `/api/approvals/${approval_id}/approve`, {
      token: agent,
      body: {},
    })
    expect([byAgent.status, byAgent.body.code]).toEqual([403, 'not_permitted'])
    const approved = await server.ask('POST', `/api/approvals/${approval_id}/approve`, {
      token: person,
      body: { note: 'ship it' },
    })
    expect([approved.status, approved.body]).toMatchObject([
      200,
      { approval_id, status: 'approved' },
    ])
    const again = await server.ask('POST', `/api/approvals/${approval_id}/approve`, {
      token: person,
    })
    expect([again.status, again.body.code]).toEqual([409, 'approval_resolved'])
    const over = await server.ask('GET', `/api/runs/${run}`, { token: agent })
    expect(over.body).toMatchObject({ status: 'completed', state: 'done', is_final: true })
  })

  test('WF-32: its entries are flat, without gaps, and come in pages', async () => {
    const run = await start()
    for (const tool of ['Read', 'Write', 'Grep']) {
      await server.ask('POST', '/api/check', { token: agent, body: { run, tool, input: {} } })
    }
    const all = await server.ask('GET', `/api/runs/${run}/entries`, { token: agent })
    const { entries, next } = all.body
    expect(next).toBe(null)
    expect(entries.map((one: { seq: number }) => one.seq)).toEqual([1, 2, 3, 4])
    expect(entries[2]).toMatchObject({
      seq: 3,
      at: expect.any(Number),
      type: 'call_decided',
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      call_id: expect.any(String),
      tool: 'Write',
      decision: 'deny',
    })
    const page = await server.ask('GET', `/api/runs/${run}/entries?after=1&limit=2`, {
      token: agent,
    })
    expect(page.body).toEqual({ entries: entries.slice(1, 3), next: 3 })
    const newest = await server.ask('GET', `/api/runs/${run}/entries?last=2`, { token: agent })
    expect(newest.body).toMatchObject({ entries: [{ seq: 3 }, { seq: 4 }], next: null })
    const tooMany = `/api/runs/${run}/entries?last=5001`
    expect((await server.ask('GET', tooMany, { token: agent })).status).toBe(400)
    const last = await server.ask('GET', `/api/runs/${run}/entries?after=3&limit=2`, {
      token: agent,
    })
    expect(last.body).toEqual({ entries: entries.slice(3), next: null })
  })

  test('WF-32a: a repeated id gets the same answer, an unknown result is refused', async () => {
    const run = await start()
    const ask = () =>
      server.ask('POST', '/api/check', {
        token: agent,
        body: { run, tool: 'Read', input: { file_path: 'a' }, call_id: 'c1' },
      })
    expect((await ask()).body.decision).toBe('allow')
    expect((await ask()).body.decision).toBe('allow')
    const { body } = await server.ask('GET', `/api/runs/${run}`, { token: agent })
    expect(body.iteration).toBe(1)
    const result = (call_id: string) =>
      server.ask('POST', '/api/result', {
        token: agent,
        body: { run, call_id, output: 'héllo', exit: 0 },
      })
    expect([(await result('c1')).status, (await result('c1')).body]).toEqual([
      200,
      { state: 'planning', notices: [] },
    ])
    const unknown = await result('c2')
    expect([unknown.status, unknown.body.code]).toEqual([409, 'unknown_call'])
  })

  test('is found by its session, and a session of another agent is another', async () => {
    await start(agent, { session: 'mine' })
    const check = (token: string) =>
      server.ask('POST', '/api/check', {
        token,
        body: { session: 'mine', tool: 'Bash', input: {} },
      })
    expect((await check(agent)).body.decision).toBe('deny')
    const other = await check(await server.token('agent', 'other'))
    expect(other.body).toMatchObject({ decision: 'allow', run_id: null })
    const shown = await server.ask('GET', '/api/runs/session:mine', { token: agent })
    expect(shown.body).toMatchObject({ state: 'planning' })
  })

  test('can be paused, resumed, stopped; resuming twice is refused', async () => {
    const run = await start()
    const send = (verb: string, token = agent) =>
      server.ask('POST', `/api/runs/${run}/${verb}`, { token })
    expect((await send('pause')).body).toMatchObject({ run_id: run, status: 'paused' })
    expect((await send('resume')).body).toMatchObject({ status: 'running' })
    expect((await send('resume')).body.code).toBe('run_not_paused')
    expect((await send('stop')).body).toMatchObject({ status: 'stopped' })
    expect([(await send('stop')).status, (await send('stop')).body.code]).toEqual([
      409,
      'run_not_active',
    ])
  })

  test('a run that a person started is locked against agents', async () => {
    const run = await start(person)
    for (const verb of ['pause', 'stop']) {
      const { status, body } = await server.ask('POST', `/api/runs/${run}/${verb}`, {
        token: agent,
      })
      expect([verb, status, body.code]).toEqual([verb, 403, 'locked'])
    }
  })

  test('explains a call without counting it', async () => {
    const run = await start()
    const { body } = await server.ask('POST', `/api/runs/${run}/explain`, {
      token: agent,
      body: { tool: 'Bash', input: { command: 'rm -rf x' } },
    })
    expect(body).toMatchObject({ decision: 'deny', code: 'tool_not_allowed' })
    const { body: shown } = await server.ask('GET', `/api/runs/${run}`, { token: agent })
    expect(shown.iteration).toBe(0)
    const { body: history } = await server.ask('GET', `/api/runs/${run}/entries`, { token: agent })
    expect(history.entries.at(-1)).toMatchObject({ type: 'probe' })
  })

  test('WF-34: verifies, replays to any step, and is exported whole', async () => {
    const run = await start(agent, { context: { plan: 1 } })
    await server.ask('POST', `/api/runs/${run}/transition`, {
      token: agent,
      body: { event: 'START', data: { note: 'ünïcode \u0000 \ud800 🎉' } },
    })
    const verified = await server.ask('GET', `/api/runs/${run}/verify`, { token: agent })
    expect(verified.body).toEqual({ run_id: run, ok: true, entries: 2 })
    const first = await server.ask('GET', `/api/runs/${run}/replay?seq=1`, { token: agent })
    expect(first.body).toMatchObject({ seq: 1, state: 'planning' })
    const exported = await server.ask('GET', `/api/runs/${run}/export`, { token: agent })
    expect(exported.body).toMatchObject({
      format: 'statewright-run/1',
      run: { run_id: run },
      program: { root: { kind: 'workflow' } },
      entries: [{ seq: 1 }, { seq: 2, entry: { type: 'transitioned' } }],
    })
  })

  test('lists are filtered and paged by a cursor', async () => {
    const mine = await server.token('agent', 'lister')
    const ids = [await start(mine), await start(mine), await start(mine)]
    await server.ask('POST', `/api/runs/${ids[0]}/stop`, { token: mine })
    const list = async (query: string) =>
      (await server.ask('GET', `/api/runs?${query}`, { token: mine })).body
    const first = await list('limit=2')
    expect(first.runs.map((run: { run_id: string }) => run.run_id)).toEqual([ids[2], ids[1]])
    const second = await list(`limit=2&cursor=${first.next}`)
    expect(second).toMatchObject({ runs: [{ run_id: ids[0], status: 'stopped' }], next: null })
    expect((await list('status=stopped,completed')).runs).toHaveLength(1)
    expect((await list('workflow=other')).runs).toEqual([])
  })
})

describe('definitions over HTTP', () => {
  test('are saved from JSON and YAML, with versions and findings', async () => {
    const yaml = 'id: small\ninitial: a\nstates:\n  a: { on: { GO: b } }\n  b: { type: final }\n'
    const put = (body: string) =>
      server.ask('PUT', '/api/workflows/small', {
        token: person,
        body,
        headers: { 'content-type': 'application/yaml' },
      })
    expect((await put(yaml)).body).toMatchObject({ name: 'small', version: 1, findings: [] })
    expect((await put(yaml.replace('GO', 'NEXT'))).body).toMatchObject({ version: 2 })
    const { body } = await server.ask('GET', '/api/workflows/small?version=1', { token: agent })
    expect(body).toMatchObject({ version: 1, text: yaml, definition: { id: 'small' } })
    const versions = await server.ask('GET', '/api/workflows/small/versions', { token: agent })
    expect(versions.body.versions).toHaveLength(2)
    const graph = await server.ask('GET', '/api/workflows/small/graph?format=mermaid', {
      token: agent,
    })
    expect(graph.text).toContain('stateDiagram-v2')
  })

  test('an invalid one is 422 with its findings and places', async () => {
    const body =
      '{\n  "id": "bad",\n  "initial": "nowhere",\n  "states": {"a": {"type": "final"}}\n}'
    const { status, body: answer } = await server.ask('PUT', '/api/workflows/bad', {
      token: person,
      body,
    })
    expect([status, answer.code]).toEqual([422, 'definition_invalid'])
    expect(answer.findings).toContainEqual(
      expect.objectContaining({ code: 'unknown_initial', severity: 'error', line: 3 }),
    )
    const checked = await server.ask('POST', '/api/workflows/validate', { token: agent, body })
    expect([checked.status, checked.body.ok]).toEqual([200, false])
  })

  test('PR-1, PR-11: processes are created, read, changed and removed', async () => {
    const gate = {
      name: 'gate',
      initial: 'ask',
      states: { ask: { question: 'Sure?', answers: { yes: { next: null } } } },
    }
    const created = await server.ask('POST', '/api/processes', { token: person, body: gate })
    expect([created.status, created.body]).toMatchObject([
      201,
      {
        ...gate,
        id: expect.stringMatching(
          /^proc_[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        ),
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      },
    ])
    const twice = await server.ask('POST', '/api/processes', { token: person, body: gate })
    expect([twice.status, twice.body.code]).toEqual([409, 'name_taken'])
    const run = await server.ask('POST', '/api/runs', { token: agent, body: { process: 'gate' } })
    const answered = await server.ask('POST', `/api/runs/${run.body.run_id}/answer`, {
      token: agent,
      body: { answer: 'yes', rationale: 'read it' },
    })
    expect(answered.body).toMatchObject({ status: 'completed' })
    const changed = await server.ask('PUT', '/api/processes/gate', {
      token: person,
      body: { ...gate, initial_prompt: 'Think.' },
    })
    expect(changed.body).toMatchObject({ id: created.body.id, version: 2 })
    const removed = await server.ask('DELETE', '/api/processes/gate', { token: person })
    expect(removed.status).toBe(200)
    const gone = await server.ask('GET', '/api/processes/gate', { token: person })
    expect([gone.status, gone.body.code]).toEqual([404, 'unknown_workflow'])
  })

  test('a workflow and a process cannot take each other’s name', async () => {
    const body = { name: 'release', initial: 'a', states: { a: { question: 'Q?' } } }
    const { body: answer } = await server.ask('PUT', '/api/processes/release', {
      token: person,
      body,
    })
    expect(answer.code).toBe('name_taken')
  })
})

describe('what there is besides', () => {
  test('the description has every route of the table', async () => {
    const { body } = await server.ask('GET', '/api/openapi.json')
    const described = Object.entries(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const table = server.routes.map(
      ({ method, path }) => `${method} ${path.replaceAll(/:([a-z]+)/g, '{$1}')}`,
    )
    expect(described.sort()).toEqual(table.sort())
    expect(
      body.paths['/api/check'].post.requestBody.content['application/json'].schema,
    ).toMatchObject({ type: 'object', required: ['tool'] })
  })

  test('numbers for Prometheus, health and readiness', async () => {
    expect((await server.ask('GET', '/healthz')).body).toEqual({ ok: true })
    expect((await server.ask('GET', '/readyz')).body).toEqual({ ok: true })
    const { text } = await server.ask('GET', '/metrics', { token: person })
    expect(text).toMatch(
      /statewright_decisions_total\{decision="deny",code="tool_not_allowed"\} \d/,
    )
    expect(text).toMatch(/statewright_live_runs \d/)
    expect(text).toMatch(/statewright_http_seconds_count\{[^}]*route="\/api\/check"/)
  })

  test('usage counts runs that are not over', async () => {
    const { body } = await server.ask('GET', '/api/usage', { token: person })
    expect(body.runs.running).toBeGreaterThan(0)
    expect(body.denials).toBeGreaterThan(0)
  })
})

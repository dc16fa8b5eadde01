import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestServer, testServer } from '../../testing/server.ts'

let server: TestServer
let person: string

beforeAll(async () => {
  server = await testServer()
  person = await server.token('person')
  for (const one of [escalation, gated]) {
    expect((await ask('POST', '/api/processes', person, one)).status).toBe(201)
  }
  expect((await ask('PUT', '/api/workflows/release', person, release)).status).toBe(200)
})
afterAll(() => server.close())

function ask(method: string, path: string, token: string, body?: unknown) {
  return server.ask(method, path, { token, ...(body === undefined ? {} : { body }) })
}

const escalation = {
  name: 'escalation',
  initial: 'severity',
  initial_prompt: 'Look at the incident.',
  states: {
    severity: {
      question: 'How bad is it?',
      answers: {
        low: { next: 'close', action: 'warn' },
        high: { next: 'close', action: 'notify_human' },
      },
    },
    close: { question: 'Closed?', answers: { yes: { next: null } } },
  },
}

const gated = {
  name: 'gated',
  initial: 'ready',
  states: { ready: { question: 'Ready?', answers: { yes: { next: null } } } },
  gate: ['bash', 'mcp:deploy:*'],
}

const release = {
  id: 'release',
  initial: 'working',
  states: {
    working: { on: { CHECK: { invoke: 'gated', on_complete: 'ready', on_fail: 'working' } } },
    ready: { on: { DONE: 'done' } },
    done: { type: 'final' },
  },
}

/** A token of its own for each, since a block holds the token. */
async function started(request: object) {
  const token = await server.token('agent')
  const { body } = await ask('POST', '/api/runs', token, request)
  const run: string = body.run_id
  const check = async (tool: string, input: object = {}) => {
    const { body: answer } = await ask('POST', '/api/check', token, { run, tool, input })
    return answer.code ?? answer.decision
  }
  const answer = (given: string) => {
    return ask('POST', `/api/runs/${run}/answer`, token, { answer: given })
  }
  return { token, run, brief: String(body.brief), check, answer }
}

describe('a process over HTTP', () => {
  test('PR-4: warn goes on and says so', async () => {
    const { answer, brief, run, token } = await started({ process: 'escalation' })
    expect(brief).toContain('Task: Look at the incident.')
    expect(brief).toContain('Question: How bad is it?')
    const low = await answer('low')
    expect([low.status, low.body]).toMatchObject([200, { state: 'close', status: 'running' }])
    expect(low.body.warning).toContain('low')
    const { entries } = (await ask('GET', `/api/runs/${run}/entries`, token)).body
    expect(entries.map((one: { type: string }) => one.type)).toContain('warned')
  })

  test('PR-4: notify_human holds every tool until a person has decided', async () => {
    const { answer, check, run, token } = await started({ process: 'escalation' })
    expect(await check('Read')).toBe('allow')
    const high = await answer('high')
    expect([high.status, high.body.status]).toEqual([202, 'pending_approval'])
    expect(await check('Read')).toBe('run_waiting')
    for (const verb of ['pause', 'stop']) {
      const tried = await ask('POST', `/api/runs/${run}/${verb}`, token, {})
      expect(tried.body.code).toBe('run_waiting')
    }
    const path = `/api/approvals/${high.body.approval_id}/approve`
    expect((await ask('POST', path, person, {})).status).toBe(200)
    expect(await check('Read')).toBe('allow')
    expect((await ask('GET', `/api/runs/${run}`, token)).body.state).toBe('close')
  })

  test('PR-4: a person who rejects ends it blocked, for the session as well', async () => {
    const session = 'shift-1'
    const { answer, check, token } = await started({ process: 'escalation', session })
    const { approval_id: id } = (await answer('high')).body
    await ask('POST', `/api/approvals/${id}/reject`, person, { reason: 'no' })
    expect(await check('Read')).toBe('run_blocked')
    const inSession = () => ask('POST', '/api/check', token, { session, tool: 'Read', input: {} })
    expect((await inSession()).body.code).toBe('run_blocked')
    const again = await ask('POST', '/api/runs', token, { process: 'gated', session })
    expect([again.status, again.body.code]).toEqual([409, 'run_blocked'])
    const byPerson = await ask('POST', '/api/runs', person, { process: 'escalation', session })
    expect(byPerson.status).toBe(201)
    expect((await inSession()).body.decision).toBe('allow')
  })

  test('PR-5a: a gate is closed until the end, and says how to open it', async () => {
    const { answer, check, run, token } = await started({ process: 'gated' })
    expect(await check('mcp__deploy__push')).toBe('gate_closed')
    const bash = { run, tool: 'Bash', input: { command: 'ls' } }
    const denied = (await ask('POST', '/api/check', token, bash)).body
    expect(denied).toMatchObject({ code: 'gate_closed', reasons: [{ path: 'gate.0' }] })
    expect(denied.message).toContain('process_step')
    expect(await check('Read')).toBe('allow')
    expect((await answer('yes')).body.status).toBe('completed')
    expect(await check('mcp__deploy__push')).toBe('allow')
  })

  test('PR-2, PR-5a: a workflow invokes a process, whose gate holds meanwhile', async () => {
    const { answer, check, run, token } = await started({ workflow: 'release' })
    expect(await check('mcp__deploy__push')).toBe('allow')
    await ask('POST', `/api/runs/${run}/transition`, token, { event: 'CHECK' })
    const inside = (await ask('GET', `/api/runs/${run}`, token)).body
    expect(inside).toMatchObject({
      state: 'ready',
      question: 'Ready?',
      answers: ['yes'],
      stack: [{ workflow: 'release', state: 'working' }],
    })
    expect(inside.brief).toContain('Answers: yes. Give one with process_step.')
    expect(await check('mcp__deploy__push')).toBe('gate_closed')
    const done = await answer('yes')
    expect(done.body).toMatchObject({ state: 'ready', status: 'running' })
    expect(await check('mcp__deploy__push')).toBe('allow')
    expect((await ask('GET', `/api/runs/${run}/verify`, person)).body).toMatchObject({ ok: true })
  })
})

describe('/api/processes', () => {
  test('PR-11: versions, drawing, and what was read can be changed and sent back', async () => {
    const first = (await ask('GET', '/api/processes/gated', person)).body
    expect(first).toMatchObject({
      ...gated,
      draft: false,
      kind: 'process',
      id: expect.stringMatching(/^proc_[0-9a-f-]{36}$/),
    })
    const changed = { ...first, gate: ['bash'] }
    const saved = await ask('PUT', '/api/processes/gated', person, changed)
    expect([saved.status, saved.body]).toMatchObject([200, { version: 2, findings: [] }])
    expect(saved.body).toMatchObject({ id: first.id, createdAt: first.createdAt })
    const { versions } = (await ask('GET', '/api/processes/gated/versions', person)).body
    expect(versions.map((one: { version: number }) => one.version)).toEqual([2, 1])
    const old = await ask('GET', '/api/processes/gated?version=1', person)
    expect(old.body.gate).toEqual(gated.gate)
    const { processes } = (await ask('GET', '/api/processes', person)).body
    const listed = processes.find((one: { name: string }) => one.name === 'gated')
    expect(listed).toMatchObject({ draft: false, saved_by: 'person', version: 2 })
    const again = await ask('PUT', '/api/processes/gated', person, { ...listed, gate: ['edit'] })
    expect([again.status, again.body.version]).toEqual([200, 3])
    const graph = await ask('GET', '/api/processes/gated/graph', person)
    expect(graph.body.nodes[0]).toEqual({
      name: 'ready',
      is_initial: true,
      is_final: false,
      note: 'Ready?',
    })
    const drawn = await ask('GET', '/api/processes/gated/graph?format=mermaid', person)
    expect(drawn.text).toContain('ready')
    const workflow = await ask('GET', '/api/workflows/gated', person)
    expect(workflow.status).toBe(404)
  })

  test('PR-11: live runs keep their version when it is changed or removed', async () => {
    const mine = { ...gated, name: 'mine' }
    await ask('POST', '/api/processes', person, mine)
    const { check, run } = await started({ process: 'mine' })
    await ask('PUT', '/api/processes/mine', person, { ...mine, gate: [] })
    expect(await check('mcp__deploy__push')).toBe('gate_closed')
    expect((await ask('DELETE', '/api/processes/mine', person)).status).toBe(200)
    expect(await check('mcp__deploy__push')).toBe('gate_closed')
    expect((await ask('GET', `/api/runs/${run}/verify`, person)).body).toMatchObject({ ok: true })
    expect((await ask('GET', '/api/processes/mine', person)).status).toBe(404)
  })

  test.each([
    [{ name: 'Bad Name' }, 'name'],
    [{ initial: 'nowhere' }, 'initial'],
    [{ states: { a: { question: 'Q', answers: { y: { next: 'gone' } } } } }, 'states'],
    [{ gate: ['a*b'] }, 'gate'],
    [{ policy: { allow: [{ capability: 'bash', rate_limit: { max_calls: 1 } }] } }, 'policy'],
    [{ session_budget_usd: -1 }, 'session_budget_usd'],
    [{ surprise: 1 }, 'surprise'],
  ])('PR-1: %j is refused with a finding at its place', async (fields, path) => {
    const states = { a: { question: 'Q' } }
    const body = { name: 'bad', initial: 'a', states, ...fields }
    const refused = await ask('POST', '/api/processes', person, body)
    expect([refused.status, refused.body.code]).toEqual([422, 'definition_invalid'])
    expect(refused.body.findings[0].path[0]).toBe(path)
    expect(refused.body.findings[0].message).toMatch(/\.$/)
  })
})

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { release, type TestServer, testServer } from '../../../testing/server.ts'

let server: TestServer
let person: string
let run: string

beforeAll(async () => {
  server = await testServer()
  person = await server.token('person')
  await server.ask('PUT', '/api/workflows/release', { token: person, body: release })
  const started = await server.ask('POST', '/api/runs', {
    token: person,
    body: { workflow: 'release' },
  })
  run = started.body.run_id
})

afterAll(() => server.close())

const post = (path: string, body: unknown) => server.ask('POST', path, { token: person, body })

describe('a hostile body', () => {
  test.each([
    '{"__proto__": {"polluted": true}, "workflow": "release"}',
    '{"workflow": "release", "context": {"__proto__": {"polluted": true}}}',
    '{"workflow": "release", "context": {"a": [{"\\u005f_proto__": 1}]}}',
  ])('with a prototype in it is refused: %s', async (body) => {
    const answer = await post('/api/runs', body)
    expect([answer.status, answer.body.code]).toEqual([400, 'usage'])
    expect(({} as { polluted?: true }).polluted).toBe(undefined)
  })

  test.each(['constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    'with a key %s is only data',
    async (key) => {
      const context = { [key]: { prototype: { polluted: true } } }
      const answer = await post('/api/runs', { workflow: 'release', context })
      expect([200, 201, 409]).toContain(answer.status)
      expect(({} as { polluted?: true }).polluted).toBe(undefined)
      const input = { [key]: 'x', file_path: 'a' }
      const checked = await post('/api/check', { run, tool: 'Read', input })
      expect([checked.status, checked.body.decision]).toEqual([200, 'allow'])
    },
  )

  test.each([
    ['no JSON', '{"workflow": '],
    ['a list', '[]'],
    ['null', 'null'],
    ['a number', '1'],
    ['a string', '"x"'],
    ['nothing', ''],
    ['a number without end', '{"workflow":"release","context":{"a":1e999}}'],
    ['nesting without end', `${'['.repeat(200_000)}`],
    ['deep nesting', `{"workflow":"release","context":${'{"a":'.repeat(500)}1${'}'.repeat(500)}}`],
    ['bytes that are no text', '\ud800'.repeat(10)],
    ['wrong types', '{"workflow":{"a":1}}'],
  ])('that is %s gets 400 with its place', async (_, body) => {
    const answer = await post('/api/runs', body)
    expect([answer.status, answer.body.code]).toEqual([400, 'usage'])
    expect(answer.body.where).toEqual(expect.any(String))
  })

  test('says where it is wrong', async () => {
    const answer = await post('/api/tokens', { kind: 'root' })
    expect(answer.body).toMatchObject({ status: 400, code: 'usage', where: 'kind' })
    const query = await server.ask('GET', '/api/runs?limit=many', { token: person })
    expect(query.body).toMatchObject({ status: 400, code: 'usage', where: '?limit' })
  })

  test('that claims or has too many bytes gets 413', async () => {
    const claimed = await server.ask('POST', '/api/check', {
      token: person,
      body: '{}',
      headers: { 'content-length': String(100 * 1024 * 1024) },
    })
    expect([claimed.status, claimed.body.code]).toEqual([413, 'body_too_large'])
    const real = await post('/api/check', { run, tool: 'Read', input: 'x'.repeat(1024 * 1024) })
    expect([real.status, real.body.code]).toEqual([413, 'body_too_large'])
    const just = await post('/api/check', { run, tool: 'Read', input: 'x'.repeat(1000 * 1000) })
    expect(just.status).toBe(200)
  })

  test.each([
    '\u0000',
    '\u0000name',
    'é\u0301',
    '🎉',
    '\u202e',
    "';drop--",
    '../../etc',
    '%00',
    ' ',
  ])('with the name %j anywhere gets an answer, never a 5xx', async (name) => {
    const encoded = encodeURIComponent(name)
    const answers = await Promise.all([
      post('/api/check', { run, tool: name, input: { [name]: name }, call_id: name }),
      post('/api/check', { session: name, tool: 'Read', input: {} }),
      post('/api/check', { run: name, tool: 'Read', input: {} }),
      post('/api/result', { run, call_id: name, output: name }),
      post(`/api/runs/${run}/transition`, { event: name, data: { [name]: name }, branch: name }),
      post(`/api/runs/${encoded}/transition`, { event: 'START' }),
      post('/api/runs', { workflow: name, session: name, project: name, workspace: name }),
      post('/api/runs', {
        workflow: 'release',
        session: name,
        project: name,
        context: { a: name },
      }),
      post('/api/tokens', { kind: 'hook', name, role: name }),
      post(`/api/approvals/${encoded}/reject`, { reason: name }),
      server.ask('GET', `/api/runs/${encoded}`, { token: person }),
      server.ask('GET', `/api/workflows/${encoded}`, { token: person }),
      server.ask('GET', `/api/runs?cursor=${encoded}&project=${encoded}`, { token: person }),
      server.ask('DELETE', `/api/tokens/${encoded}`, { token: person }),
      server.ask('PUT', `/api/workflows/${encoded}`, { token: person, body: { id: name } }),
    ])
    for (const { status, text } of answers) {
      expect([text, status]).toEqual([text, expect.any(Number)])
      expect(status).toBeLessThan(500)
    }
    const verified = await server.ask('GET', `/api/runs/${run}/verify`, { token: person })
    expect(verified.body).toMatchObject({ ok: true })
  })

  test('of any JSON never gets a 5xx, on any route that reads one', async () => {
    const reading = server.routes.filter(({ body, who }) => body !== undefined && who !== 'public')
    const key = fc.oneof(
      fc.string({ maxLength: 10 }),
      fc.constantFrom('run', 'tool', 'input', 'event', 'data', 'workflow', 'context', 'kind'),
    )
    const body = fc.oneof(
      fc.jsonValue({ maxDepth: 4 }),
      fc.dictionary(key, fc.jsonValue({ maxDepth: 3 })),
      fc.string(),
    )
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...reading), body, async (route, value) => {
        // It would end the very token that the others use.
        if (route.path === '/api/logout' || route.path === '/api/pin') return
        const path = route.path.replace(':id', run).replaceAll(/:[a-z]+/g, 'x')
        const { status, text } = await server.ask(route.method, path, {
          token: person,
          body: value,
        })
        expect([text, status < 500]).toEqual([text, true])
      }),
      { numRuns: 300 },
    )
  })
})

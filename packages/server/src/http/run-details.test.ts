import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { release, type TestServer, testServer } from '../../testing/server.ts'

let server: TestServer
let person: string
let agent: string
let stranger: string
let run: string

const input = { file_path: 'a.txt', content: 'x' }

async function get(path: string, token = person) {
  const { status, body } = await server.ask('GET', path, { token })
  return { status, body }
}

beforeAll(async () => {
  server = await testServer()
  person = await server.token('person')
  agent = await server.token('agent')
  stranger = await server.token('agent')
  await server.ask('PUT', '/api/workflows/release', { token: person, body: release })
  const started = await server.ask('POST', '/api/runs', {
    token: agent,
    body: { workflow: 'release', context: { plan: 'a' } },
  })
  run = started.body.run_id
  for (const call_id of ['c1', 'c2', 'c3']) {
    const body = { run, tool: 'Write', input, call_id }
    await server.ask('POST', '/api/check', { token: agent, body })
  }
})

afterAll(() => server.close())

describe('what pages look up of a run', () => {
  test('a run is stuck after the same denial three times, until its agent gets on', async () => {
    const stuck = { run_id: run, tool: 'Write', code: 'tool_not_allowed', times: 3 }
    expect((await get('/api/stuck')).body.runs).toEqual([{ ...stuck, since: expect.any(Number) }])
    expect((await get('/api/stuck', stranger)).body.runs).toEqual([])
    const body = { run, tool: 'Read', input: { file_path: 'a.txt' } }
    await server.ask('POST', '/api/check', { token: agent, body })
    expect((await get('/api/stuck')).body.runs).toEqual([])
  })

  test('its definitions are those it was started with', async () => {
    const { status, body } = await get(`/api/runs/${run}/program`)
    expect(status).toBe(200)
    expect(body.program_hash).toMatch(/^[0-9a-f]{64}$/)
    expect(body.program.root).toMatchObject({ kind: 'workflow', definition: { id: 'release' } })
    expect((await get(`/api/runs/${run}/program`, stranger)).status).toBe(404)
  })

  test('the arguments of a call are kept, also of a denied one', async () => {
    expect(await get(`/api/runs/${run}/calls/c1`)).toEqual({
      status: 200,
      body: { call_id: 'c1', input },
    })
    expect((await get(`/api/runs/${run}/calls/nothing`)).body.code).toBe('not_found')
    expect((await get(`/api/runs/${run}/calls/c1`, stranger)).status).toBe(404)
  })

  test('some runs are listed by their ids, each only to whom it may be shown', async () => {
    const path = `/api/runs?ids=${run},run_nothing`
    expect((await get(path)).body).toMatchObject({ runs: [{ run_id: run }], next: null })
    expect((await get(path, stranger)).body).toEqual({ runs: [], next: null })
  })

  test('an approval shows the data that would be written', async () => {
    const move = (event: string, data: object) =>
      server.ask('POST', `/api/runs/${run}/transition`, { token: agent, body: { event, data } })
    await move('START', {})
    const parked = await move('PUBLISH', { plan: 'ready' })
    const { body } = await get('/api/approvals?status=waiting')
    expect([parked.status, body.approvals[0]?.data]).toEqual([202, { plan: 'ready' }])
  })
})

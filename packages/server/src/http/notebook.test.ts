import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { release, type TestServer, testServer } from '../../testing/server.ts'

let server: TestServer
let person: string
let agent: string
let other: string

beforeAll(async () => {
  server = await testServer()
  person = await server.token('person')
  await server.ask('PUT', '/api/workflows/release', { token: person, body: release })
  agent = await agentOf('one')
  other = await agentOf('other')
})

/** An agent of the project, as a person makes its token. */
async function agentOf(name: string): Promise<string> {
  const body = { kind: 'agent', name, project: '/p' }
  return (await server.ask('POST', '/api/tokens', { token: person, body })).body.token
}

afterAll(() => server.close())

const at = (path: string, project = '/p') => `${path}?project=${encodeURIComponent(project)}`

describe('memory over the API', () => {
  test('PR-8: is kept, read, listed, found and forgotten', async () => {
    const path = `/api/memory/${encodeURIComponent('how to/build')}`
    const kept = await server.ask('PUT', at(path), {
      token: agent,
      body: { value: 'npm test', tags: ['how'] },
    })
    expect([kept.status, kept.body]).toEqual([
      200,
      { key: 'how to/build', value: 'npm test', tags: ['how'], updated_at: expect.any(Number) },
    ])
    expect((await server.ask('GET', at(path), { token: other })).body).toEqual(kept.body)
    const found = await server.ask('GET', `${at('/api/memory')}&search=NPM`, { token: person })
    expect(found.body.memories).toMatchObject([{ key: 'how to/build', excerpt: 'npm test' }])
    const elsewhere = await server.ask('GET', at(path, '/q'), { token: agent })
    expect([elsewhere.status, elsewhere.body.code]).toEqual([404, 'not_found'])
    expect((await server.ask('DELETE', at(path), { token: agent })).status).toBe(200)
    expect((await server.ask('DELETE', at(path), { token: agent })).status).toBe(404)
    expect((await server.ask('GET', at('/api/memory'), { token: agent })).body.memories).toEqual([])
  })

  test.each([
    ['no project', '/api/memory/k', { value: 'x' }],
    ['a value over 64 kB', at('/api/memory/k'), { value: 'ä'.repeat(32_769) }],
    ['too many tags', at('/api/memory/k'), { value: 'x', tags: new Array(33).fill('t') }],
    ['a key that is too long', at(`/api/memory/${'k'.repeat(201)}`), { value: 'x' }],
  ])('PR-8: %s is refused', async (_what, path, body) => {
    const answer = await server.ask('PUT', path, { token: agent, body })
    expect([answer.status, answer.body.code]).toEqual([400, 'usage'])
  })
})

test('PO-8b: what a project keeps is not there for agents that do not work in it', async () => {
  await server.ask('PUT', at('/api/memory/kept'), { token: agent, body: { value: 'ours' } })
  const stranger = await server.token('agent', 'stranger')
  // What it says of itself when it starts a run opens nothing.
  await server.ask('POST', '/api/runs', {
    token: stranger,
    body: { workflow: 'release', project: '/p', workspace: '/p' },
  })
  for (const [method, path, body] of [
    ['GET', '/api/memory', undefined],
    ['GET', '/api/memory/kept', undefined],
    ['PUT', '/api/memory/kept', { value: 'theirs' }],
    ['DELETE', '/api/memory/kept', undefined],
    ['GET', '/api/tasks', undefined],
    ['POST', '/api/tasks', { title: 'theirs' }],
  ] as const) {
    const request = { token: stranger, ...(body === undefined ? {} : { body }) }
    const { status, body: output } = await server.ask(method, at(path), request)
    expect([method, path, status, output.code]).toEqual([method, path, 404, 'not_found'])
  }
  const kept = await server.ask('GET', at('/api/memory/kept'), { token: agent })
  expect(kept.body.value).toBe('ours')
  await server.ask('DELETE', at('/api/memory/kept'), { token: agent })
})

describe('tasks over the API', () => {
  async function create(body: object = {}): Promise<string> {
    const made = await server.ask('POST', at('/api/tasks'), {
      token: agent,
      body: { title: 'Fix it', ...body },
    })
    expect([made.text, made.status]).toEqual([made.text, 201])
    return made.body.task_id
  }

  test('PR-8: are made, changed, claimed once and completed', async () => {
    const id = await create({ body: 'All of it.', priority: 2 })
    const changed = await server.ask('PUT', at(`/api/tasks/${id}`), {
      token: other,
      body: { title: 'Fix it well' },
    })
    expect(changed.body).toMatchObject({ title: 'Fix it well', body: 'All of it.', priority: 2 })
    const claims = await Promise.all(
      [agent, other, agent, other].map((token) =>
        server.ask('POST', at(`/api/tasks/${id}/claim`), { token }),
      ),
    )
    expect(claims.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    const winner = claims[0]?.status === 200 || claims[2]?.status === 200 ? agent : other
    const loser = winner === agent ? other : agent
    const late = await server.ask('POST', at(`/api/tasks/${id}/complete`), { token: loser })
    expect([late.status, late.body.code]).toEqual([409, 'task_taken'])
    const done = await server.ask('POST', at(`/api/tasks/${id}/complete`), { token: winner })
    expect([done.status, done.body.status]).toEqual([200, 'done'])
    const listed = await server.ask('GET', `${at('/api/tasks')}&status=done`, { token: agent })
    expect(listed.body.tasks.map((task: { task_id: string }) => task.task_id)).toEqual([id])
  })

  test('PR-8: a person frees what is claimed, opens what is over, and removes it', async () => {
    const id = await create()
    await server.ask('POST', at(`/api/tasks/${id}/claim`), { token: agent })
    const freed = await server.ask('PUT', at(`/api/tasks/${id}`), {
      token: person,
      body: { status: 'open' },
    })
    expect(freed.body).toMatchObject({ status: 'open', claimed_by: null })
    await server.ask('PUT', at(`/api/tasks/${id}`), { token: agent, body: { status: 'cancelled' } })
    const byAgent = await server.ask('PUT', at(`/api/tasks/${id}`), {
      token: agent,
      body: { status: 'open' },
    })
    expect(byAgent.body.code).toBe('task_taken')
    expect((await server.ask('DELETE', at(`/api/tasks/${id}`), { token: agent })).status).toBe(403)
    expect((await server.ask('DELETE', at(`/api/tasks/${id}`), { token: person })).status).toBe(200)
    expect((await server.ask('GET', at(`/api/tasks/${id}`), { token: agent })).status).toBe(404)
  })
})

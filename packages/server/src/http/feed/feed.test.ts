import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { release, type TestServer, testServer } from '../../../testing/server.ts'
import { maxReaders } from './feed-hub.ts'

let server: TestServer
let person: string
let agent: string

beforeAll(async () => {
  server = await testServer()
  person = await server.token('person')
  agent = await server.token('agent')
  await server.ask('PUT', '/api/workflows/release', { token: person, body: release })
})

afterAll(() => server.close())

async function start(token: string): Promise<string> {
  const body = { workflow: 'release' }
  return (await server.ask('POST', '/api/runs', { token, body })).body.run_id
}

interface Update {
  readonly id: string
  readonly data: { run_id: string; seq: number; type: string }
}

/** Reads the feed as a browser does. */
async function openFeed(token: string, query = '', headers: Record<string, string> = {}) {
  const answer = await server.request('GET', `/api/feed${query}`, { token, headers })
  const reader = answer.body?.getReader()
  if (reader === undefined) throw new Error('the feed has no body')
  const decoder = new TextDecoder()
  let rest = ''
  return {
    answer,
    next: async (): Promise<Update> => {
      for (;;) {
        const end = rest.indexOf('\n\n')
        if (end >= 0) {
          const block = rest.slice(0, end)
          rest = rest.slice(end + 2)
          const id = /^id: (.*)$/m.exec(block)?.[1]
          const data = /^data: (.*)$/m.exec(block)?.[1]
          if (id !== undefined && data !== undefined) return { id, data: JSON.parse(data) }
          continue
        }
        const { done, value } = await reader.read()
        if (done) throw new Error('the feed has ended')
        rest += decoder.decode(value, { stream: true })
      }
    },
    leave: () => reader.cancel(),
  }
}

describe('the feed', () => {
  test('begins now, with its headers at once and an id for each entry', async () => {
    await start(person)
    const feed = await openFeed(person)
    expect(feed.answer.headers.get('content-type')).toBe('text/event-stream')
    const run = await start(person)
    const first = await feed.next()
    expect(first.data).toMatchObject({ run_id: run, seq: 1, type: 'run_started' })
    expect(first.data).toHaveProperty('hash')
    await server.ask('POST', `/api/runs/${run}/pause`, { token: person })
    const second = await feed.next()
    expect([second.data.seq, second.data.type]).toEqual([2, 'paused'])
    expect(second.id).not.toBe(first.id)
    await feed.leave()
  })

  test('goes on after the last id that was seen', async () => {
    const feed = await openFeed(person)
    const run = await start(person)
    const { id } = await feed.next()
    await feed.leave()
    await server.ask('POST', `/api/runs/${run}/pause`, { token: person })
    await server.ask('POST', `/api/runs/${run}/resume`, { token: person })
    const again = await openFeed(person, '', { 'last-event-id': id })
    expect((await again.next()).data).toMatchObject({ run_id: run, type: 'paused' })
    expect((await again.next()).data).toMatchObject({ run_id: run, type: 'resumed' })
    await again.leave()
  })

  test('tells everything from 0, in order and without gaps', async () => {
    const runs = await Promise.all(Array.from({ length: 150 }, () => start(person)))
    const feed = await openFeed(person, '?from=0')
    const seen = new Set<string>()
    const ids: string[] = []
    while (runs.some((run) => !seen.has(run))) {
      const { id, data } = await feed.next()
      if (data.seq === 1) seen.add(data.run_id)
      ids.push(id)
    }
    expect(new Set(ids).size).toBe(ids.length)
    await feed.leave()
  })

  test('shows an agent only its own runs', async () => {
    const feed = await openFeed(agent, '?from=0')
    await start(person)
    await start(await server.token('agent', 'other'))
    const mine = await start(agent)
    expect((await feed.next()).data.run_id).toBe(mine)
    await feed.leave()
  })

  test('refuses an id that it never gave out, and one reader too many', async () => {
    const headers = { 'last-event-id': "1' or 1=1" }
    expect((await server.ask('GET', '/api/feed', { token: person, headers })).status).toBe(400)
    const feeds = await Promise.all(Array.from({ length: maxReaders }, () => openFeed(person)))
    const { status, body } = await server.ask('GET', '/api/feed', { token: person })
    expect([status, body.code]).toEqual([429, 'too_many_requests'])
    await Promise.all(feeds.map((feed) => feed.leave()))
    const after = await openFeed(person)
    await after.leave()
  })
})

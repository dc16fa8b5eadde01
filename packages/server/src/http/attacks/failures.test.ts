import { afterEach, describe, expect, test } from 'vitest'
import { release, type TestServer, testServer } from '../../../testing/server.ts'
import { type Store, StoreFault } from '../../store/store.ts'

let server: TestServer
let failing: Error | undefined

/** The real store, until it is told to fail as a full disk or a lost database does. */
function breakable(store: Store): Store {
  const guard = <Part extends object>(part: Part): Part =>
    new Proxy(part, {
      get(target, key) {
        const member: unknown = Reflect.get(target, key)
        if (typeof member !== 'function') return member
        return (...args: unknown[]) => {
          if (failing !== undefined) return Promise.reject(failing)
          return member.apply(target, args)
        }
      },
    })
  const methods = Object.entries(store).map(([name, part]) => [
    name,
    typeof part === 'object' ? guard(part) : part,
  ])
  return guard(Object.fromEntries(methods))
}

const full = new StoreFault('full', 'The disk is full.', {
  where: '/secret/place/data.db',
  next: 'make room and try again.',
})

afterEach(async () => {
  failing = undefined
  await server.close()
})

describe('when the store fails', () => {
  test('a guarded call is denied with 200, and everything else is 503', async () => {
    server = await testServer({ wrapStore: breakable })
    const person = await server.token('person')
    await server.ask('PUT', '/api/workflows/release', { token: person, body: release })
    const started = await server.ask('POST', '/api/runs', {
      token: person,
      body: { workflow: 'release' },
    })
    const run = started.body.run_id
    const check = () =>
      server.ask('POST', '/api/check', {
        token: person,
        body: { run, tool: 'Read', input: {}, call_id: 'c1' },
      })
    expect((await check()).body.decision).toBe('allow')
    for (const fault of [full, new Error('bug: of our own')]) {
      failing = fault
      const denied = await server.ask('POST', '/api/check', {
        token: person,
        body: { run, tool: 'Read', input: {}, call_id: 'c2' },
      })
      expect([denied.status, denied.body]).toMatchObject([
        200,
        { decision: 'deny', code: 'internal', reasons: [{ code: 'internal' }], call_id: 'c2' },
      ])
      expect(denied.text).not.toContain('bug')
      const moved = await server.ask('POST', `/api/runs/${run}/pause`, { token: person })
      const [status, code] = fault === full ? [503, 'store_unavailable'] : [500, 'internal']
      expect([moved.status, moved.body.code]).toEqual([status, code])
      expect(moved.text).not.toContain('/secret/place')
      expect(moved.text).not.toContain('bug')
    }
    failing = full
    expect((await server.ask('GET', '/readyz')).status).toBe(503)
    expect((await server.ask('GET', '/healthz')).status).toBe(200)
    failing = undefined
    expect((await check()).body.decision).toBe('allow')
    expect((await server.ask('GET', '/readyz')).status).toBe(200)
    expect(server.logs.join('')).toContain('the store failed')
  })

  test('a token that cannot be looked up does not count', async () => {
    server = await testServer({ wrapStore: breakable })
    const agent = await server.token('agent')
    failing = full
    const { status, body } = await server.ask('POST', '/api/check', {
      token: agent,
      body: { session: 's', tool: 'Read' },
    })
    expect([status, body.code]).toEqual([503, 'store_unavailable'])
  })
})

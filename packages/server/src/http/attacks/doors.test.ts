import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { host, origin, type TestServer, testServer } from '../../../testing/server.ts'
import { routeTable } from '../routes/route-table.ts'

const routes = routeTable()
const named = routes.map((route) => ({ ...route, name: `${route.method} ${route.path}` }))
const guarded = named.filter(({ who }) => who !== 'public')

/** A path that fits a route. What it names does not exist: doors are tried, not rooms. */
function pathOf(path: string): string {
  return path.replaceAll(/:[a-z]+/g, 'some-id')
}

let server: TestServer
let tokens: Record<'hook' | 'agent' | 'person', string>

beforeAll(async () => {
  server = await testServer()
  tokens = {
    hook: await server.token('hook'),
    agent: await server.token('agent'),
    person: await server.token('person'),
  }
})

afterAll(() => server.close())

describe('every route of the table', () => {
  test('is public only where it must be', () => {
    expect(named.filter(({ who }) => who === 'public').map(({ name }) => name)).toEqual([
      'GET /docs',
      'GET /docs/:page',
      'GET /docs/reference/:page',
      'GET /docs/images/:name',
      'GET /api/login',
      'GET /login/:secret',
      'POST /login/:secret',
      'POST /api/login/device',
      'POST /api/login/device/token',
      'POST /login/:secret/passkey',
      'GET /passkey.js',
      'POST /oidc/login',
      'GET /oidc/callback',
      'GET /oidc/device',
      'POST /oidc/device',
      'GET /healthz',
      'GET /readyz',
      'POST /api/server/proof',
      'GET /workflow-schema.json',
      'GET /process-schema.json',
      'GET /config-schema.json',
      'GET /api/openapi.json',
    ])
  })

  test.each(guarded)('$name: nothing without a token', async ({ method, path }) => {
    const { status, body, headers } = await server.ask(method, pathOf(path), bodyFor(method))
    expect([status, body.code]).toEqual([401, 'unauthenticated'])
    expect(headers.get('content-type')).toBe('application/problem+json')
  })

  test.each([
    ['garbage', 'Bearer x'],
    ['another scheme', 'Basic YWRtaW46YWRtaW4='],
    ['a token nobody made', `Bearer sw_person_${'A'.repeat(43)}`],
    ['no token after the word', 'Bearer '],
    ['a prototype', 'Bearer __proto__'],
    ['two tokens', 'Bearer sw_person_a sw_person_b'],
  ])('counts %s as no token', async (_, authorization) => {
    for (const { method, path } of guarded) {
      const ask = { ...bodyFor(method), headers: { authorization } }
      const { status } = await server.ask(method, pathOf(path), ask)
      expect([path, status]).toEqual([path, 401])
    }
  })

  const ranks = { hook: 1, agent: 2, person: 3 } as const
  const wrong = guarded.flatMap((route) =>
    (['hook', 'agent'] as const)
      .filter((kind) => route.who !== 'public' && ranks[kind] < ranks[route.who])
      .map((kind) => ({ ...route, kind })),
  )
  test.each(wrong)('$name: not with a token of kind $kind', async ({ method, path, kind }) => {
    const ask = { ...bodyFor(method), token: tokens[kind] }
    const { status, body } = await server.ask(method, pathOf(path), ask)
    expect([status, body.code]).toEqual([403, 'not_permitted'])
  })

  test('there are person routes at all, and agents were tried on each', () => {
    const forPeople = guarded.filter(({ who }) => who === 'person')
    expect(forPeople.length).toBeGreaterThan(10)
    const tried = wrong.filter(({ kind }) => kind === 'agent').map(({ name }) => name)
    expect(tried).toEqual(forPeople.map(({ name }) => name))
  })

  test.each(named)('$name: not under a foreign host or origin', async ({ method, path }) => {
    const token = tokens.person
    for (const foreign of ['evil.example', `evil.example:4747`, '127.0.0.1', '127.0.0.1:80', '']) {
      const ask = { ...bodyFor(method), token, headers: { host: foreign } }
      const { status, body } = await server.ask(method, pathOf(path), ask)
      expect([foreign, status, body.code]).toEqual([foreign, 403, 'foreign_host'])
    }
    for (const foreign of [
      'http://evil.example',
      'null',
      'http://127.0.0.1:80',
      `https://${host}`,
    ]) {
      const ask = { ...bodyFor(method), token, headers: { origin: foreign } }
      const { status, body } = await server.ask(method, pathOf(path), ask)
      expect([foreign, status, body.code]).toEqual([foreign, 403, 'foreign_origin'])
    }
  })

  test.each(named)('$name: gives no other site leave to read it', async (route) => {
    const { method, path, who, isPublished = false } = route
    if (path === '/api/feed') return
    // One of its own: a route may end the token that it is called with.
    const token = await server.token('person')
    const ask = { ...bodyFor(method), token, headers: { origin } }
    const { headers } = await server.ask(method, pathOf(path), ask)
    expect(headers.get('access-control-allow-origin')).toBe(null)
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    // Only what anybody may read is kept by a browser or a cache on the way.
    if (isPublished) expect([method, who]).toEqual(['GET', 'public'])
    if (!isPublished) expect(headers.get('cache-control')).toBe('no-store')
  })
})

describe('a token', () => {
  test('stops counting at once when it is revoked', async () => {
    const { body: made } = await server.ask('POST', '/api/tokens', {
      token: tokens.person,
      body: { kind: 'agent', name: 'short-lived' },
    })
    expect(made.token).toMatch(/^sw_agent_[A-Za-z0-9_-]{43}$/)
    expect(made.id).toMatch(/^agent_[0-9a-f-]{36}$/)
    const me = () => server.ask('GET', '/api/me', { token: made.token })
    expect((await me()).body).toMatchObject({ id: made.id, name: 'short-lived' })
    const gone = await server.ask('DELETE', `/api/tokens/${made.id}`, { token: tokens.person })
    expect(gone.body).toEqual({ id: made.id, revoked: true })
    expect((await me()).status).toBe(401)
  })

  test('is kept only as a hash, and never listed', async () => {
    const secrets = Object.values(tokens)
    const { text } = await server.ask('GET', '/api/tokens', { token: tokens.person })
    const stored = JSON.stringify(await server.store.tokens.list())
    for (const secret of secrets) {
      expect(text).not.toContain(secret)
      expect(stored).not.toContain(secret.slice(10))
    }
    expect(text).not.toContain((await server.store.tokens.list())[0]?.hash)
  })

  test('expires', async () => {
    const { body } = await server.ask('POST', '/api/tokens', {
      token: tokens.person,
      body: { kind: 'hook', expires_in_s: 1 },
    })
    const row = (await server.store.tokens.list()).find((one) => one.tokenId === body.id)
    expect(row?.expiresAt).toBeGreaterThan(Date.now())
    expect(row?.expiresAt).toBeLessThanOrEqual(Date.now() + 1000)
  })

  test('does not reach the log', () => {
    for (const secret of Object.values(tokens)) {
      expect(server.logs.join('')).not.toContain(secret)
    }
  })
})

function bodyFor(method: string) {
  return method === 'GET' ? {} : { body: '{}' }
}

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { origin, type TestServer, testServer } from '../../../testing/server.ts'

let server: TestServer
let now = 1_800_000_000_000

beforeAll(async () => {
  let ids = 0
  const clock = { now: () => now, newId: (prefix: string) => `${prefix}_${ids++}` }
  server = await testServer({ clock })
})

afterAll(() => server.close())

const click = (path: string, body = '') =>
  server.ask('POST', path, {
    headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
    body,
  })

async function logIn(): Promise<string> {
  const { headers } = await click(server.auth.links.create('ann'))
  return (headers.get('set-cookie') ?? '').split(';')[0] ?? ''
}

describe('the login link', () => {
  test('PE-1: makes a browser that of a person, once, by a click on its page', async () => {
    const path = server.auth.links.create('ann <b>')
    expect((await server.ask('GET', path)).text).toContain('ann &#60;b&#62;')
    expect((await server.request('HEAD', path)).status).toBe(200)
    const first = await click(path)
    expect([first.status, first.headers.get('location')]).toEqual([303, '/'])
    expect(first.headers.get('set-cookie')).toMatch(
      /^statewright_4747=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/,
    )
    const second = await click(path)
    expect([second.status, second.body.code]).toEqual([404, 'login_expired'])
    expect(second.headers.get('set-cookie')).toBe(null)
    expect((await server.ask('GET', path)).status).toBe(404)
  })

  test('the page tells where the feed stands, but only to who is logged in', async () => {
    const timing = async (cookie: string) =>
      (await server.ask('GET', '/', { headers: { cookie } })).headers.get('server-timing')
    const cookie = await logIn()
    expect(await timing(cookie)).toMatch(/^feed;desc="[\w:.-]+"$/)
    expect(await timing(cookie.slice(0, -1))).toBe(null)
    expect((await server.ask('GET', '/')).headers.get('server-timing')).toBe(null)
  })

  test('PE-1: is not used up by a preview, and ends after ten minutes', async () => {
    const path = server.auth.links.create('ann')
    expect((await server.ask('GET', path)).headers.get('set-cookie')).toBe(null)
    now += 10 * 60_000 - 1
    expect((await click(path)).status).toBe(303)
    const late = server.auth.links.create('ann')
    now += 10 * 60_000
    expect((await click(late)).body.code).toBe('login_expired')
  })

  test('PE-1: gives a command line a token that ends after thirty days', async () => {
    const { status, body } = await click(server.auth.links.create('ann'), 'name=laptop')
    expect([status, body.token]).toEqual([201, expect.stringMatching(/^sw_person_/)])
    const me = () => server.ask('GET', '/api/me', { token: body.token })
    expect((await me()).body).toMatchObject({ name: 'laptop', person: 'ann' })
    now += 30 * 24 * 60 * 60_000
    expect((await me()).status).toBe(401)
  })

  test('further ones come only from a person, for themselves or for another', async () => {
    const token = await server.token('person')
    const link = (body: object) => server.ask('POST', '/api/login/link', { token, body })
    const { status, body } = await link({ person: 'bob' })
    expect([status, body.url]).toEqual([201, expect.stringMatching(`^${origin}/login/[\\w-]{43}$`)])
    const cookie = (await click(new URL(body.url).pathname)).headers.get('set-cookie') ?? ''
    const headers = { cookie: cookie.split(';')[0] ?? '' }
    expect((await server.ask('GET', '/api/me', { headers })).body.person).toBe('bob')
  })
})

describe('the cookie', () => {
  test('reads without an origin, but changes things only from our own page', async () => {
    const cookie = await logIn()
    expect((await server.ask('GET', '/api/me', { headers: { cookie } })).body.kind).toBe('person')
    const start = (headers: Record<string, string>) =>
      server.ask('POST', '/api/runs', { headers: { cookie, ...headers }, body: {} })
    expect((await start({})).body.code).toBe('foreign_origin')
    expect((await start({ origin: 'http://evil.example' })).body.code).toBe('foreign_origin')
    expect((await start({ origin })).body.code).toBe('usage')
  })

  test('does not help a request whose token is wrong', async () => {
    const headers = { cookie: await logIn(), authorization: 'Bearer sw_agent_x' }
    expect((await server.ask('GET', '/api/me', { headers })).status).toBe(401)
  })

  test('cannot be sent as a token', async () => {
    const secret = (await logIn()).split('=')[1] ?? ''
    for (const token of [secret, `sw_person_${secret}`, `cookie:${secret}`]) {
      expect((await server.ask('GET', '/api/me', { token })).status).toBe(401)
    }
  })

  test('expires, and ends with a logout', async () => {
    const cookie = await logIn()
    const me = () => server.ask('GET', '/api/me', { headers: { cookie } })
    const out = await server.ask('POST', '/api/logout', { headers: { cookie, origin }, body: {} })
    expect(out.headers.get('set-cookie')).toContain('Max-Age=0')
    expect((await me()).status).toBe(401)
    const other = await logIn()
    now += 7 * 24 * 60 * 60_000
    expect((await server.ask('GET', '/api/me', { headers: { cookie: other } })).status).toBe(401)
  })
})

describe('the login of a command line', () => {
  const begin = () => server.ask('POST', '/api/login/device', { body: { name: 'laptop <b>' } })
  const poll = (device_code: string) =>
    server.ask('POST', '/api/login/device/token', { body: { device_code } })

  test('waits for a person, gives a token once, and only to whoever began it', async () => {
    const person = await server.token('person')
    const { status, body } = await begin()
    expect(status).toBe(201)
    expect(body.user_code).toMatch(/^[B-Z]{4}-[B-Z]{4}$/)
    expect([(await poll(body.device_code)).status, (await poll('guess')).body.code]).toEqual([
      409,
      'login_expired',
    ])
    const confirm = (token: string, user_code: string) =>
      server.ask('POST', '/api/login/device/confirm', { token, body: { user_code } })
    const agent = await server.token('agent')
    expect((await confirm(agent, body.user_code)).status).toBe(403)
    expect((await confirm(person, 'BBBB-BBBB')).status).toBe(404)
    expect((await confirm(person, body.user_code.toLowerCase())).body).toEqual({ confirmed: true })
    const done = await poll(body.device_code)
    expect(done.body.token).toMatch(/^sw_person_/)
    const me = await server.ask('GET', '/api/me', { token: done.body.token })
    expect(me.body).toMatchObject({ kind: 'person', name: 'laptop <b>' })
    expect((await poll(body.device_code)).status).toBe(404)
  })

  test('has a page for it, on which nothing of a stranger is markup', async () => {
    const cookie = await logIn()
    const { body } = await begin()
    const page = await server.ask('GET', `/login-device?code=${body.user_code}`, {
      headers: { cookie },
    })
    expect(page.text).toContain('laptop &#60;b&#62; wants to log in as you')
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self'")
    const sent = await server.ask('POST', '/login-device', {
      headers: { cookie, origin, 'content-type': 'application/x-www-form-urlencoded' },
      body: `code=${body.user_code}`,
    })
    expect([sent.status, sent.text]).toEqual([200, expect.stringContaining('Done.')])
    expect((await poll(body.device_code)).status).toBe(201)
    expect((await server.ask('GET', '/login-device')).status).toBe(401)
    const hostile = await server.ask('GET', '/login-device?code=%22%3E%3Cscript%3E', {
      headers: { cookie },
    })
    expect(hostile.text).not.toContain('<script')
  })

  test('is over after ten minutes, and nobody is locked out by those who only ask', async () => {
    const { body } = await begin()
    now += 10 * 60_000
    expect((await poll(body.device_code)).body.code).toBe('login_expired')
    const mine = (await begin()).body.device_code
    for (let count = 0; count < 200; count++) expect((await begin()).status).toBe(201)
    expect((await poll(mine)).status).toBe(409)
  })
})

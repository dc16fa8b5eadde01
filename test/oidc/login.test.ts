import { generateKeyPairSync } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Surfer } from '../support/identity-provider.ts'
import { codeIn, cookieIn, OidcWorld, onward } from './oidc-kit.ts'

let world: OidcWorld

beforeAll(async () => {
  world = await OidcWorld.open()
})
afterEach(() => {
  world.provider.tamper = undefined
  world.provider.discovery = undefined
  world.provider.signWith = undefined
  world.provider.isDown = false
  world.aheadMs = 0
  world.config = world.provider.config()
})
afterAll(() => world.close())

const me = async (cookie: string) => (await world.as(cookie, 'GET', '/api/me')).body

describe('a login at the identity provider', () => {
  test('PE-12: makes the browser a login of the person, by issuer and subject', async () => {
    const { status, text, headers, cookie } = await world.logIn('ann-1')
    expect([status, /url=\/"/.test(text)]).toEqual([200, true])
    expect(headers.getSetCookie()[0]).toMatch(/; Max-Age=604800; HttpOnly; SameSite=Strict$/)
    const { person, kind, provider, verbs } = await me(cookie)
    expect([person, kind, provider]).toEqual([
      `Ann Lee <ann-1 at ${world.provider.issuer}>`,
      'person',
      'Example',
    ])
    expect(verbs).toHaveLength(6)
  })

  test('PE-12: people of one name stay two, and neither is the local one', async () => {
    const [one, two] = [await world.logIn('ann-1'), await world.logIn('ann-2')]
    const names = [(await me(one.cookie)).person, (await me(two.cookie)).person]
    expect(new Set([...names, 'Ann Lee']).size).toBe(3)
    world.config = null
    const token = await world.server.token('person')
    const request = { token, body: { person: names[0] } }
    expect((await world.server.ask('POST', '/api/login/link', request)).body.code).toBe('usage')
  })

  test('PE-12: asks with PKCE, state and nonce, and leads back to our pages alone', async () => {
    const begun = await world.form('/oidc/login', { back: '/runs?state=a' })
    const { searchParams } = new URL(onward(begun))
    expect(searchParams.get('code_challenge_method')).toBe('S256')
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(searchParams.get(name)?.length).toBeGreaterThan(40)
    }
    const page = await world.back(await new Surfer().logIn(onward(begun), 'ann-1'), cookieIn(begun))
    expect(onward(page)).toBe('/runs?state=a')
    const elsewhere = ['//evil.test', '/\\evil.test', '/.//evil.test', 'https://evil.test/']
    for (const back of [...elsewhere, 'javascript:1']) {
      const bent = await world.form('/oidc/login', { back })
      const there = await new Surfer().logIn(onward(bent), 'ann-1')
      expect(onward(await world.back(there, cookieIn(bent)))).toBe('/')
    }
  })

  test('PE-12: counts only in the browser that began, and is then used up', async () => {
    const begun = await world.form('/oidc/login', {})
    const address = await new Surfer().logIn(onward(begun), 'ann-1')
    const stranger = cookieIn(await world.form('/oidc/login', {}))
    const inAnother = await world.back(address, stranger)
    expect([...codeIn(inAnother), cookieIn(inAnother)]).toEqual([403, 'oidc_refused', ''])
    // Whoever began it and then found the address in a history has come too late.
    const replayed = await world.back(address, cookieIn(begun))
    expect([...codeIn(replayed), cookieIn(replayed)]).toEqual([403, 'oidc_refused', ''])
  })

  test('PE-12: does not count with a cookie of that name and another value', async () => {
    const begun = await world.form('/oidc/login', {})
    const address = await new Surfer().logIn(onward(begun), 'ann-1')
    const planted = cookieIn(begun).replace(/=.*/, `=${'A'.repeat(43)}`)
    expect(codeIn(await world.back(address, planted))).toEqual([403, 'oidc_refused'])
  })

  test('PE-12: comes back once, with its own state, within ten minutes', async () => {
    const begun = await world.form('/oidc/login', {})
    const address = await new Surfer().logIn(onward(begun), 'ann-1')
    const bent = new URL(address)
    bent.searchParams.set('state', `${address.searchParams.get('state')}x`)
    expect(codeIn(await world.back(bent, cookieIn(begun)))).toEqual([403, 'oidc_refused'])
    expect((await world.back(address, cookieIn(begun))).status).toBe(200)
    expect(codeIn(await world.back(address, cookieIn(begun)))).toEqual([403, 'oidc_refused'])
    const late = await world.form('/oidc/login', {})
    const tooLate = await new Surfer().logIn(onward(late), 'ann-1')
    world.aheadMs = 11 * 60_000
    expect(codeIn(await world.back(tooLate, cookieIn(late)))).toEqual([403, 'oidc_refused'])
  })

  test('PE-12: takes no code that another login was given', async () => {
    const [mine, theirs] = [
      await world.form('/oidc/login', {}),
      await world.form('/oidc/login', {}),
    ]
    const address = await new Surfer().logIn(onward(mine), 'ann-1')
    const other = await new Surfer().logIn(onward(theirs), 'ann-2')
    address.searchParams.set('code', other.searchParams.get('code') ?? '')
    expect(codeIn(await world.back(address, cookieIn(mine)))).toEqual([403, 'oidc_refused'])
  })

  test.each([
    ['another nonce', () => ({ nonce: 'another' })],
    ['another issuer', () => ({ iss: 'https://evil.test' })],
    ['another audience', () => ({ aud: 'another' })],
    ['an end in the past', () => ({ exp: Math.floor(Date.now() / 1000) - 3600 })],
    ['no subject', () => ({ sub: undefined })],
  ])('PE-12: does not count with %s', async (_, change) => {
    world.provider.tamper = (claims) => ({ ...claims, ...change() })
    const answered = await world.logIn('ann-1')
    expect([...codeIn(answered), answered.cookie]).toEqual([403, 'oidc_refused', ''])
  })

  test('PE-12: does not count with the signature of another key, or none', async () => {
    world.provider.tamper = (claims) => claims
    world.provider.signWith = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    expect(codeIn(await world.logIn('ann-1'))).toEqual([403, 'oidc_refused'])
    world.provider.signWith = 'none'
    expect(codeIn(await world.logIn('ann-1'))).toEqual([403, 'oidc_refused'])
  })

  test('PE-12: does not count where the answer names another issuer', async () => {
    const begun = await world.form('/oidc/login', {})
    const address = await new Surfer().logIn(onward(begun), 'ann-1')
    expect(address.searchParams.get('iss')).toBe(world.provider.issuer)
    address.searchParams.set('iss', 'https://evil.test')
    expect(codeIn(await world.back(address, cookieIn(begun)))).toEqual([403, 'oidc_refused'])
  })

  test('PE-12: that the provider refuses says so', async () => {
    const begun = await world.form('/oidc/login', {})
    const state = new URL(onward(begun)).searchParams.get('state') ?? ''
    const query = new URLSearchParams({ state, error: 'access_denied', iss: world.provider.issuer })
    const address = new URL(`http://x/oidc/callback?${query}`)
    const answered = await world.back(address, cookieIn(begun))
    expect(codeIn(answered)).toEqual([403, 'oidc_refused'])
    expect(answered.text).toContain('access_denied')
  })

  test('PE-12: goes to no address without TLS but on this machine', async () => {
    for (const endpoint of ['authorization_endpoint', 'token_endpoint', 'jwks_uri']) {
      // Another configuration, so that discovery begins anew.
      world.config = world.provider.config({ name: `try ${endpoint}` })
      world.provider.discovery = (found) => ({ ...found, [endpoint]: 'http://evil.test/x' })
      const begun = await world.form('/oidc/login', {})
      const isFirst = endpoint === 'authorization_endpoint'
      const answered = isFirst
        ? begun
        : await world.back(await new Surfer().logIn(onward(begun), 'ann-1'), cookieIn(begun))
      expect([endpoint, ...codeIn(answered)]).toEqual([endpoint, 503, 'oidc_unavailable'])
    }
    world.config = world.provider.config({ name: 'another issuer' })
    world.provider.discovery = (found) => ({ ...found, issuer: 'http://127.0.0.1:1' })
    const answered = await world.form('/oidc/login', {})
    expect(codeIn(answered)).toEqual([503, 'oidc_unavailable'])
  })

  test('PE-12: leads to the address of the server that the provider knows', async () => {
    const headers = { host: 'localhost:4747', origin: 'http://localhost:4747' }
    const answered = await world.server.ask('POST', '/oidc/login', { headers, body: '' })
    expect(codeIn(answered)).toEqual([403, 'oidc_refused'])
    expect(answered.text).toContain('<a href="http://127.0.0.1:4747">')
  })

  test('PE-12: ends with the logout', async () => {
    const { cookie } = await world.logIn('gus')
    expect((await world.as(cookie, 'POST', '/api/logout', {})).status).toBe(200)
    expect((await world.as(cookie, 'GET', '/api/me')).status).toBe(401)
  })

  test('PE-12: counts no longer with another provider, nor without one', async () => {
    const { cookie } = await world.logIn('ann-1')
    world.config = world.provider.config({ issuer: 'https://another.test' })
    expect((await world.as(cookie, 'GET', '/api/me')).status).toBe(401)
    world.config = null
    expect((await world.as(cookie, 'GET', '/api/me')).status).toBe(401)
    expect((await world.server.ask('GET', '/api/login')).body).toEqual({ provider: null })
    expect((await world.form('/oidc/login', {})).status).toBe(404)
  })
})

describe('a provider that is away', () => {
  test('PE-12: is said to be, and nothing is lost', async () => {
    const { cookie } = await world.logIn('ann-1')
    world.config = world.provider.config({ issuer: 'http://127.0.0.1:1' })
    const answered = await world.form('/oidc/login', {})
    expect(codeIn(answered)).toEqual([503, 'oidc_unavailable'])
    expect(answered.text).toContain('The identity provider cannot be reached.')
    world.config = world.provider.config()
    expect((await world.as(cookie, 'GET', '/api/me')).status).toBe(200)
  })

  test('PE-12, PE-14: in the midst of it lets people begin again', async () => {
    const begun = await world.form('/oidc/login', {})
    const address = await new Surfer().logIn(onward(begun), 'ann-1')
    world.provider.isDown = true
    const failed = await world.back(address, cookieIn(begun))
    expect(codeIn(failed)).toEqual([503, 'oidc_unavailable'])
    world.provider.isDown = false
    const { cookie } = await world.logIn('ann-1')
    const { ticket } = (await world.as(cookie, 'POST', '/api/proof/oidc', {})).body
    const away = await world.form('/oidc/prove', { ticket }, cookie)
    const there = await new Surfer().logIn(onward(away), 'ann-1')
    world.provider.isDown = true
    expect(codeIn(await world.back(there, cookieIn(away)))).toEqual([503, 'oidc_unavailable'])
    world.provider.isDown = false
    // The page still waits with its ticket, and is served by the next try.
    const again = await world.form('/oidc/prove', { ticket }, cookie)
    await world.back(await new Surfer().logIn(onward(again), 'ann-1'), cookieIn(again))
    const given = await world.as(cookie, 'POST', '/api/proof/oidc/token', { ticket })
    expect(given.status).toBe(201)
  })
})

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { TestAuthenticator } from '../../packages/server/testing/peers/authenticator.ts'
import { origin, release } from '../../packages/server/testing/server.ts'
import { Surfer } from '../support/identity-provider.ts'
import { codeIn, cookieIn, OidcWorld, onward } from './oidc-kit.ts'

let world: OidcWorld

beforeAll(async () => {
  world = await OidcWorld.open()
})
afterEach(() => {
  world.provider.tamper = undefined
  world.aheadMs = 0
  world.config = world.provider.config()
  world.provider.accounts.set('ann-1', { name: 'Ann Lee', roles: ['admins'] })
})
afterAll(() => world.close())

const save = (cookie: string, proof?: string) =>
  world.as(cookie, 'PUT', '/api/workflows/release', release, proof)

describe('a proof by a fresh login', () => {
  test('PE-14: is asked for, comes once, and lets the person act', async () => {
    const surfer = new Surfer()
    const { cookie } = await world.logIn('ann-1', surfer)
    const refused = await save(cookie)
    const { code, factors, provider } = refused.body
    expect([code, factors, provider]).toEqual(['step_up_required', ['oidc'], 'Example'])
    const { page, given, ticket } = await world.stepUp(cookie, 'ann-1', surfer)
    expect(page.status).toBe(200)
    expect(page.text).toContain('You are confirmed.')
    expect(given.status).toBe(201)
    expect((await save(cookie, given.body.proof)).status).toBe(200)
    const again = await world.as(cookie, 'POST', '/api/proof/oidc/token', { ticket })
    expect(again.body.code).toBe('login_expired')
    world.aheadMs = 11 * 60_000
    expect((await save(cookie, given.body.proof)).body.code).toBe('step_up_required')
  })

  test('PE-14: asks for the factors of the person, not for their session there', async () => {
    const { cookie } = await world.logIn('ann-1')
    const { ticket } = (await world.as(cookie, 'POST', '/api/proof/oidc', {})).body
    const begun = await world.form('/oidc/prove', { ticket }, cookie)
    const { searchParams } = new URL(onward(begun))
    expect([searchParams.get('prompt'), searchParams.get('max_age')]).toEqual(['login', '0'])
  })

  test.each([
    ['an hour before', (claims: { iat: number }) => claims.iat - 3600],
    ['half a minute before', (claims: { iat: number }) => claims.iat - 30],
    ['in the future', (claims: { iat: number }) => claims.iat + 3600],
    ['at no time', () => undefined],
  ])('PE-14: is not given for a login %s', async (_, change) => {
    const { cookie } = await world.logIn('ann-1')
    world.provider.tamper = (claims) => ({
      ...claims,
      auth_time: change(claims as { iat: number }), // Every id token has it.
    })
    const { page, given } = await world.stepUp(cookie, 'ann-1')
    expect([...codeIn(page), given.body]).toEqual([403, 'oidc_refused', { waiting: true }])
  })

  test('PE-14: is given to the person who asked, and to no other', async () => {
    const { cookie } = await world.logIn('ann-1')
    const { page, given } = await world.stepUp(cookie, 'ann-2')
    expect([...codeIn(page), given.body]).toEqual([403, 'oidc_refused', { waiting: true }])
  })

  test('PE-14: is given to the login that asked, and to no other of that person', async () => {
    const [one, two] = [await world.logIn('ann-1'), await world.logIn('ann-1')]
    const { ticket } = (await world.as(one.cookie, 'POST', '/api/proof/oidc', {})).body
    const claimed = await world.as(two.cookie, 'POST', '/api/proof/oidc/token', { ticket })
    expect(claimed.body.code).toBe('login_expired')
    const begun = await world.form('/oidc/prove', { ticket }, two.cookie)
    expect(codeIn(begun)).toEqual([404, 'login_expired'])
    const { given } = await world.stepUp(one.cookie, 'ann-1')
    expect((await save(two.cookie, given.body.proof)).body.code).toBe('step_up_required')
  })

  test('PE-14: is begun by a page, not by a token from a disk', async () => {
    const { token } = await commandLine('ann-1')
    const { ticket } = (await ask(token, 'POST', '/api/proof/oidc', {})).body
    const headers = { origin, authorization: `Bearer ${token}` }
    const body = String(new URLSearchParams({ ticket }))
    const begun = await world.server.ask('POST', '/oidc/prove', { headers, body })
    expect(codeIn(begun)).toEqual([404, 'login_expired'])
  })

  test('PE-14: comes back only to the browser that went', async () => {
    const { cookie } = await world.logIn('ann-1')
    const { ticket } = (await world.as(cookie, 'POST', '/api/proof/oidc', {})).body
    const begun = await world.form('/oidc/prove', { ticket }, cookie)
    const address = await new Surfer().logIn(onward(begun), 'ann-1')
    expect(codeIn(await world.back(address, cookie))).toEqual([403, 'oidc_refused'])
    const given = await world.as(cookie, 'POST', '/api/proof/oidc/token', { ticket })
    expect(given.body).toEqual({ waiting: true })
  })
})

describe('roles', () => {
  test('PE-13: without the verb the answer is a plain no', async () => {
    const { cookie } = await world.logIn('ann-2')
    const refused = await save(cookie)
    expect([refused.status, refused.body.code]).toEqual([403, 'not_permitted'])
    expect(refused.body.message).toBe('Your roles do not include "define".')
  })

  test('PE-13: those of the fresh login hold', async () => {
    const { cookie } = await world.logIn('ann-1')
    world.provider.accounts.set('ann-1', { name: 'Ann Lee', roles: ['starters'] })
    const { given } = await world.stepUp(cookie, 'ann-1')
    expect((await save(cookie, given.body.proof)).body.code).toBe('not_permitted')
    world.provider.accounts.set('ann-1', { name: 'Ann Lee', roles: [] })
    const none = await world.stepUp(cookie, 'ann-1')
    expect(none.given.body.code).toBe('not_permitted')
  })

  test('PE-13: who has none is refused, or only looks where that is configured', async () => {
    const refused = await world.logIn('eve')
    expect([...codeIn(refused), refused.cookie]).toEqual([403, 'not_permitted', ''])
    world.config = world.provider.config({ without_role: 'look' })
    const { cookie } = await world.logIn('eve')
    expect((await world.as(cookie, 'GET', '/api/runs')).status).toBe(200)
    const started = await world.as(cookie, 'POST', '/api/runs', { workflow: 'release' })
    expect(started.body.message).toBe('Your roles only let you look.')
  })

  test('PE-13: a role without verbs looks, checks definitions and logs out', async () => {
    const { cookie } = await world.logIn('gus')
    const posts = ['/api/runs', '/api/runs/x/pause', '/api/approvals/x/reject', '/api/proof/oidc']
    for (const path of posts) {
      expect([path, (await world.as(cookie, 'POST', path, {})).body.code]).toEqual([
        path,
        'not_permitted',
      ])
    }
    const checked = await world.as(cookie, 'POST', '/api/workflows/validate', release)
    expect(checked.status).toBe(200)
    expect((await world.as(cookie, 'POST', '/api/logout', {})).status).toBe(200)
  })

  test('PE-13: are found in an object, in a single text, and under an address', async () => {
    const table = [
      ['realm_access.roles', { realm_access: { roles: ['admins'] } }],
      ['group', { group: 'admins' }],
      ['https://example.com/roles', { 'https://example.com/roles': ['admins'] }],
    ] as const
    for (const [roles_claim, claims] of table) {
      world.config = world.provider.config({ roles_claim })
      world.provider.tamper = (reported) => ({ ...reported, ...claims })
      const { cookie } = await world.logIn('eve')
      expect((await world.as(cookie, 'GET', '/api/me')).body.verbs).toHaveLength(6)
    }
    world.config = world.provider.config({ roles_claim: 'constructor' })
    world.provider.tamper = undefined
    expect(codeIn(await world.logIn('ann-1'))).toEqual([403, 'not_permitted'])
  })

  test('PE-13: nobody gives a login or a service more than they may themselves', async () => {
    world.config = world.provider.config({ roles: { admins: ['mint'] } })
    const { cookie } = await world.logIn('ann-1')
    const { given } = await world.stepUp(cookie, 'ann-1')
    const make = (body: object) => world.as(cookie, 'POST', '/api/tokens', body, given.body.proof)
    const service = { kind: 'service', expires_in_s: 60 }
    const refused = await make({ ...service, verbs: ['mint', 'configure'] })
    expect([refused.body.code, refused.body.where]).toEqual(['not_permitted', 'verbs'])
    expect((await make({ ...service, verbs: ['mint'] })).status).toBe(201)
    const login = await make({ kind: 'person' })
    expect(login.body.verbs).toEqual(['mint'])
  })
})

describe('with a provider', () => {
  test('PE-15: links, passkeys and PINs are off', async () => {
    const { cookie } = await world.logIn('ann-1')
    const { given } = await world.stepUp(cookie, 'ann-1')
    const posts: [string, string, object][] = [
      ['POST', '/api/proof', { pin: '123456' }],
      ['PUT', '/api/pin', { pin: '123456' }],
      ['POST', '/api/passkeys/options', {}],
      ['POST', '/api/passkeys', {}],
      ['POST', '/api/proof/passkey/options', {}],
      ['POST', '/api/proof/passkey', {}],
      ['POST', '/api/login/link', {}],
      ['POST', '/api/login/device/confirm', { user_code: 'A' }],
    ]
    for (const [method, path, body] of posts) {
      const answered = await world.as(cookie, method, path, body, given.body.proof)
      expect([path, answered.body.code]).toEqual([path, 'oidc_only'])
    }
    const link = world.server.auth.links.create('mallory')
    for (const [method, path] of [
      ['GET', link],
      ['POST', link],
      ['POST', `${link}/passkey`],
    ] as const) {
      expect((await world.server.ask(method, path)).body.code).toBe('oidc_only')
    }
  })

  test('PE-15: local logins of before do not count, tokens of services and agents do', async () => {
    world.config = null
    const local = await world.server.login('ann')
    const tester = await world.server.token('person')
    const auth = { kind: 'person', name: 'ci', verbs: ['define'], createdBy: 'x' } as const
    const service = (await world.server.auth.tokens.mint(auth)).secret
    const agent = await world.server.token('agent')
    const seen = async () =>
      Promise.all([local, tester, service, agent].map(async (token) => (await ask(token)).status))
    expect(await seen()).toEqual([200, 200, 200, 200])
    world.config = world.provider.config()
    expect(await seen()).toEqual([401, 401, 200, 200])
    world.config = world.provider.config({ break_glass: true })
    expect(await seen()).toEqual([200, 200, 200, 200])
  })

  test('PE-15: with break-glass a link of the terminal logs in and sets a passkey', async () => {
    world.config = world.provider.config({ break_glass: true })
    const link = world.server.auth.links.create('root')
    const named = 'http://localhost:4747'
    const headers = { origin: named, host: 'localhost:4747' }
    const request = await world.server.ask('POST', `${link}/passkey`, { headers, body: {} })
    const passkey = JSON.stringify(new TestAuthenticator().create(request.body, named))
    const body = String(new URLSearchParams({ passkey }))
    const opened = await world.server.ask('POST', link, { headers, body })
    const cookie = cookieIn(opened)
    expect((await save(cookie)).body.factors).toEqual(['passkey'])
    // A provider's own people have no passkey or PIN even so.
    const ann = await world.logIn('ann-1')
    const refused = await world.as(ann.cookie, 'POST', '/api/proof', { pin: '123456' })
    expect(refused.body.code).toBe('oidc_only')
  })
})

describe('a command line', () => {
  test('PE-16: is logged in by a code and a fresh login, with roles', async () => {
    const { token, page } = await commandLine('ann-2')
    expect(page.text).toContain('The command line is logged in.')
    const { person, verbs } = (await ask(token)).body
    expect([person, verbs]).toEqual([`Ann Lee <ann-2 at ${world.provider.issuer}>`, ['start']])
  })

  test('PE-16: is not logged in by a session at the provider that went on', async () => {
    world.provider.tamper = (claims) => ({ ...claims, auth_time: Number(claims.iat) - 3600 })
    const { page, token } = await commandLine('ann-1')
    expect([...codeIn(page), token]).toEqual([403, 'oidc_refused', undefined])
  })

  test('PE-16: gets its proof by a code that the person of its login types', async () => {
    const { token } = await commandLine('ann-1')
    const begun = (await ask(token, 'POST', '/api/proof/oidc', {})).body
    const { ticket, user_code, verification_url } = begun
    expect(verification_url).toBe(`${origin}/oidc/device`)
    const given = () => ask(token, 'POST', '/api/proof/oidc/token', { ticket })
    // The page does not fill it in, even where it is asked to.
    const shown = await world.server.ask('GET', `/oidc/device?code=${user_code}`)
    expect([shown.status, shown.text.includes(user_code)]).toEqual([200, false])
    const confirm = async (login: string) => {
      const sent = await world.form('/oidc/device', { code: user_code.toLowerCase() })
      return world.back(await new Surfer().logIn(onward(sent), login), cookieIn(sent))
    }
    expect(codeIn(await confirm('ann-2'))).toEqual([403, 'oidc_refused'])
    expect((await given()).body).toEqual({ waiting: true })
    expect((await confirm('ann-1')).status).toBe(200)
    const { proof } = (await given()).body
    const headers = { 'x-statewright-proof': proof }
    const saved = { token, headers, body: release }
    expect((await world.server.ask('PUT', '/api/workflows/release', saved)).status).toBe(200)
    const unknown = await world.form('/oidc/device', { code: user_code })
    expect(unknown.status).toBe(404)
  })
})

function ask(token: string, method = 'GET', path = '/api/me', body?: unknown) {
  return world.server.ask(method, path, { token, ...(body === undefined ? {} : { body }) })
}

async function commandLine(login: string) {
  const request = { body: { name: 'laptop' } }
  const begun = (await world.server.ask('POST', '/api/login/device', request)).body
  const { pathname, search, searchParams } = new URL(begun.verification_url)
  expect((await world.server.ask('GET', pathname + search)).text).toContain('laptop wants')
  const sent = await world.form(pathname, { code: searchParams.get('code') ?? '' })
  const page = await world.back(await new Surfer().logIn(onward(sent), login), cookieIn(sent))
  const { device_code } = begun
  const given = { body: { device_code } }
  const { token } = (await world.server.ask('POST', '/api/login/device/token', given)).body
  return { page, token }
}

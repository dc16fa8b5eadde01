import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TestAuthenticator } from '../../../testing/peers/authenticator.ts'
import { origin, type TestServer, testServer } from '../../../testing/server.ts'

const here = 'http://localhost:4747'

let server: TestServer
let ann: string
let now = 1_800_000_000_000

beforeEach(async () => {
  let ids = 0
  const clock = { now: () => now, newId: (prefix: string) => `${prefix}_${ids++}` }
  server = await testServer({ clock })
  ann = await server.login('ann')
})

afterEach(() => server.close())

const post = (path: string, token: string | undefined, body: object, headers = {}) =>
  server.ask('POST', path, { token, body, headers: { origin: here, ...headers } })
const optionsOf = async (token = ann) => (await post('/api/proof/passkey/options', token, {})).body
const prove = (credential: object, token = ann, headers = {}) =>
  post('/api/proof/passkey', token, { credential }, headers)
const click = (path: string, fields: Record<string, string>, from = here) =>
  server.ask('POST', path, {
    headers: { origin: from, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  })

/** Makes a passkey on the page of a login link. */
async function chosen(person = 'ann'): Promise<TestAuthenticator> {
  const key = new TestAuthenticator()
  const path = server.auth.links.create(person)
  const { body } = await post(`${path}/passkey`, undefined, {})
  const passkey = JSON.stringify(key.create(body, here))
  expect((await click(path, { passkey })).status).toBe(303)
  return key
}

describe('a passkey', () => {
  test('PE-8, PE-9: is made with a login link, and gives the proof that a PIN gives', async () => {
    const key = await chosen()
    const proven = await prove(key.use(await optionsOf(), here))
    expect([proven.status, proven.body.expires_at]).toEqual([201, now + 10 * 60_000])
    const headers = { 'x-statewright-proof': proven.body.proof }
    expect((await post('/api/tokens', ann, { kind: 'agent' }, headers)).status).toBe(201)
    const other = await server.login('ann')
    const refused = await post('/api/tokens', other, { kind: 'agent' }, headers)
    expect(refused.body).toMatchObject({ code: 'step_up_required', factors: ['passkey'] })
    const listed = await server.ask('GET', '/api/passkeys', { token: ann })
    expect(listed.body.passkeys).toEqual([
      {
        id: key.id,
        name: 'passkey 1',
        host: 'localhost',
        created_at: now,
        used_at: now,
        backed_up: false,
      },
    ])
  })

  test('PE-8: is added and removed by who has a proof, and never with a login alone', async () => {
    const first = await chosen()
    const second = new TestAuthenticator()
    for (const headers of [{}, { 'x-statewright-proof': 'x' }]) {
      for (const path of ['/api/passkeys/options', '/api/passkeys']) {
        const credential = second.create({ challenge: 'x' }, here)
        const { body } = await post(path, ann, { credential }, headers)
        expect([path, body.code]).toEqual([path, 'step_up_required'])
      }
      const path = `/api/passkeys/${first.id}`
      const removed = await server.ask('DELETE', path, { token: ann, headers })
      expect(removed.body.code).toBe('step_up_required')
    }
    const { proof } = (await prove(first.use(await optionsOf(), here))).body
    const headers = { 'x-statewright-proof': proof }
    const options = (await post('/api/passkeys/options', ann, {}, headers)).body
    expect(options.excludeCredentials).toMatchObject([{ id: first.id }])
    expect(options.authenticatorSelection.userVerification).toBe('required')
    const body = { credential: second.create(options, here), name: 'phone' }
    expect((await post('/api/passkeys', ann, body, headers)).status).toBe(201)
    expect((await prove(second.use(await optionsOf(), here))).status).toBe(201)
    const path = `/api/passkeys/${first.id}`
    expect((await server.ask('DELETE', path, { token: ann, headers })).status).toBe(200)
    expect((await server.ask('DELETE', path, { token: ann, headers })).status).toBe(404)
    expect((await prove(first.use(await optionsOf(), here))).body.code).toBe('passkey_wrong')
    const bob = await server.login('bob')
    const others = await server.ask('GET', '/api/passkeys', { token: bob })
    expect(others.body.passkeys).toEqual([])
  })

  test('PE-8: that a link does not take leaves the link as it was', async () => {
    const key = new TestAuthenticator()
    const path = server.auth.links.create('ann')
    const { body: options } = await post(`${path}/passkey`, undefined, {})
    const passkey = JSON.stringify(key.create(options, 'http://localhost:9999'))
    expect((await click(path, { passkey })).body.code).toBe('passkey_wrong')
    expect((await click(path, { passkey: 'no JSON' })).body.code).toBe('passkey_wrong')
    const other = server.auth.links.create('bob')
    const request = await post(`${other}/passkey`, undefined, {})
    const theirs = JSON.stringify(key.create(request.body, here))
    expect((await click(path, { passkey: theirs })).body.code).toBe('passkey_wrong')
    expect((await click(path, {})).status).toBe(303)
    expect((await post(`${path}/passkey`, undefined, {})).body.code).toBe('login_expired')
    expect(await server.auth.passkeys.list('ann')).toEqual([])
  })

  test('PE-8: of another person is neither listed, offered nor removed', async () => {
    const [key, theirs] = [await chosen(), await chosen('bob')]
    const bob = await server.login('bob')
    const listed = await server.ask('GET', '/api/passkeys', { token: bob })
    expect(listed.body.passkeys).toMatchObject([{ id: theirs.id }])
    const options = await optionsOf(bob)
    expect(options.allowCredentials).toMatchObject([{ id: theirs.id }])
    const { proof } = (await prove(theirs.use(options, here), bob)).body
    const headers = { origin: here, 'x-statewright-proof': proof }
    const path = `/api/passkeys/${key.id}`
    expect((await server.ask('DELETE', path, { token: bob, headers })).status).toBe(404)
    expect((await server.auth.passkeys.list('ann')).map(({ id }) => id)).toEqual([key.id])
  })

  test('PE-8: belongs to a named person', async () => {
    const nobody = await server.token('person')
    const { body } = await post('/api/passkeys/options', nobody, {})
    expect(body.code).toBe('not_permitted')
  })

  test('PE-8: works at localhost or at an https address, for which it was made', async () => {
    await chosen()
    const at = (from: Record<string, string>) => post('/api/proof/passkey/options', ann, {}, from)
    expect((await at({})).status).toBe(200)
    expect((await at({ origin })).body.code).toBe('usage')
    expect((await at({ origin: 'http://localhost:9999' })).body.code).toBe('foreign_origin')
    const without = await server.ask('POST', '/api/proof/passkey/options', { token: ann, body: {} })
    expect(without.body.code).toBe('usage')
  })

  test('PE-5: does not wait for wrong PINs', async () => {
    const key = await chosen()
    await server.auth.pins.set('ann', '471147')
    for (let time = 0; time < 4; time++) await post('/api/proof', ann, { pin: '000000' })
    expect((await post('/api/proof', ann, { pin: '471147' })).body.code).toBe('pin_locked')
    expect((await prove(key.use(await optionsOf(), here))).status).toBe(201)
  })

  test('PE-1: is asked for before a command line is logged in', async () => {
    const key = await chosen()
    const begun = await post('/api/login/device', undefined, { name: 'laptop' })
    const confirm = (headers: object) => {
      const body = { user_code: begun.body.user_code }
      return post('/api/login/device/confirm', ann, body, headers)
    }
    expect((await confirm({})).body.code).toBe('step_up_required')
    const { proof } = (await prove(key.use(await optionsOf(), here))).body
    expect((await confirm({ 'x-statewright-proof': proof })).status).toBe(200)
  })
})

describe('the answer of a passkey', () => {
  test('PE-9: counts once, for two minutes, and for the login that asked', async () => {
    const key = await chosen()
    const options = await optionsOf()
    const other = await server.login('ann')
    expect((await prove(key.use(options, here), other)).body.code).toBe('passkey_wrong')
    // Another login's try did not use it up.
    const answer = key.use(options, here)
    expect((await prove(answer)).status).toBe(201)
    expect((await prove(answer)).body.code).toBe('passkey_wrong')
    expect((await prove(key.use(options, here))).body.code).toBe('passkey_wrong')
    const late = await optionsOf()
    now += 2 * 60_000
    expect((await prove(key.use(late, here))).body.code).toBe('passkey_wrong')
  })

  test('PE-9: is of a passkey of that person', async () => {
    await chosen('ann')
    const bobs = await chosen('bob')
    expect((await prove(bobs.use(await optionsOf(), here))).body.code).toBe('passkey_wrong')
    const stranger = new TestAuthenticator()
    const posing = { ...stranger.use(await optionsOf(), here) }
    const [{ id = '' } = {}] = await server.auth.passkeys.list('ann')
    const answer = await prove({ ...posing, id, rawId: id })
    expect(answer.body.code).toBe('passkey_wrong')
  })

  test('PE-9: comes from our page, with a verified person and a growing counter', async () => {
    const key = await chosen()
    const elsewhere = key.use(await optionsOf(), 'http://localhost:9999')
    expect((await prove(elsewhere)).body.code).toBe('passkey_wrong')
    const foreign = await prove(key.use(await optionsOf(), here), ann, {
      origin: 'http://localhost:9999',
    })
    expect(foreign.body.code).toBe('foreign_origin')
    const unseen = key.use(await optionsOf(), here, { isVerified: false })
    expect((await prove(unseen)).body.code).toBe('passkey_wrong')
    expect((await prove(key.use(await optionsOf(), here, { counter: 50 }))).status).toBe(201)
    const copied = key.use(await optionsOf(), here, { counter: 50 })
    expect((await prove(copied)).body.code).toBe('passkey_wrong')
    expect((await prove(key.use(await optionsOf(), here))).status).toBe(201)
  })

  test('PE-9: to a question for a new passkey proves nothing', async () => {
    const key = await chosen()
    const { proof } = (await prove(key.use(await optionsOf(), here))).body
    const headers = { 'x-statewright-proof': proof }
    const options = (await post('/api/passkeys/options', ann, {}, headers)).body
    expect((await prove(key.use(options, here))).body.code).toBe('passkey_wrong')
  })

  test('PE-9: a login that asks many times forgets its own questions alone', async () => {
    const key = await chosen()
    const other = await server.login('ann')
    const theirs = await optionsOf(other)
    const first = await optionsOf()
    for (let time = 0; time < 20; time++) await optionsOf()
    expect((await prove(key.use(first, here))).body.code).toBe('passkey_wrong')
    expect((await prove(key.use(theirs, here), other)).status).toBe(201)
  })
})

describe('who wants a proof', () => {
  test('PE-10: says which factors the person has, the better one first', async () => {
    const factors = async () => (await post('/api/tokens', ann, { kind: 'agent' })).body.factors
    expect(await factors()).toEqual([])
    await server.auth.pins.set('ann', '471147')
    expect(await factors()).toEqual(['pin'])
    await chosen()
    expect(await factors()).toEqual(['passkey', 'pin'])
  })
})

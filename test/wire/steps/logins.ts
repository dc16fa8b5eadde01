import { endpoints } from '@statewright/core/wire'
import { expect } from 'vitest'
import { TestAuthenticator } from '../../../packages/server/testing/peers/authenticator.ts'
import { origin } from '../../../packages/server/testing/server.ts'
import { cookieIn, OidcWorld, onward } from '../../oidc/oidc-kit.ts'
import { Surfer } from '../../support/identity-provider.ts'
import type { Walk } from '../walk.ts'

const pin = '246810'

/** From a login link to a passkey: what a person does in the first minutes. */
export async function loginSteps(walk: Walk): Promise<void> {
  expect(await walk.call(endpoints.getLoginWay)).toEqual({ provider: null })
  const secret = await newLink(walk)
  const { factors } = await walk.call(endpoints.readLoginLink, { params: { secret } })
  expect(factors).toEqual([])
  const page = { origin: walk.origin }
  const onPage = walk.by('', page)
  await onPage.call(endpoints.requestFirstPasskey, { params: { secret }, body: {} })
  const redeemed = { params: { secret }, body: { name: 'laptop', pin } }
  const login = await walk.call(endpoints.redeemLoginLink, redeemed)
  const { token } = typeof login === 'string' ? { token: '' } : login
  const ann = walk.by(token, page)
  const { proof } = await ann.call(endpoints.proveByPin, { body: { pin } })
  const there = walk.by(token, { ...page, 'x-statewright-proof': proof })
  await there.call(endpoints.setPin, { body: { pin: `${pin}12` } })
  await passkeys(walk, { there, ann })
  await device(walk, there)
  const params = { secret: await newLink(walk) }
  expect((await walk.call(endpoints.readLoginLink, { params })).factors).toEqual(['pin'])
  await ann.call(endpoints.logOut, { body: {} })
}

async function newLink(walk: Walk): Promise<string> {
  const { url } = await walk.call(endpoints.createLoginLink, { body: { person: 'ann' } })
  return url.slice(`${walk.origin}/login/`.length)
}

type Caller = Pick<Walk, 'call'>

async function passkeys(
  { origin }: Walk,
  { there, ann }: { readonly there: Caller; readonly ann: Caller },
): Promise<void> {
  const authenticator = new TestAuthenticator()
  const request = await there.call(endpoints.requestPasskey, { body: {} })
  const credential = authenticator.create(request, origin)
  await there.call(endpoints.addPasskey, { body: { credential, name: 'key' } })
  // Now there is one to be left out.
  const again = await there.call(endpoints.requestPasskey, { body: {} })
  expect(again.excludeCredentials).toHaveLength(1)
  const wanted = await ann.call(endpoints.requestPasskeyProof, { body: {} })
  await ann.call(endpoints.proveByPasskey, {
    body: { credential: authenticator.use(wanted, origin) },
  })
  const { passkeys } = await ann.call(endpoints.listPasskeys)
  expect(passkeys.map(({ name, used_at }) => [name, typeof used_at])).toEqual([['key', 'number']])
  await there.call(endpoints.removePasskey, { params: { id: authenticator.id } })
}

async function device(walk: Walk, there: Caller): Promise<void> {
  const begun = await walk.call(endpoints.beginDeviceLogin, { body: { name: 'laptop' } })
  const { device_code, user_code } = begun
  await there.call(endpoints.confirmDeviceLogin, { body: { user_code } })
  await walk.call(endpoints.claimDeviceLogin, { body: { device_code } })
}

/** A proof by a fresh login, at a provider that is one. */
export async function providerSteps(walk: Walk): Promise<void> {
  const world = await OidcWorld.open()
  try {
    const { cookie } = await world.logIn('ann-1')
    const ask = (path: string, body: object) =>
      world.server.request('POST', path, { headers: { cookie, origin }, body })
    const way = await world.server.request('GET', endpoints.getLoginWay.path)
    expect((await walk.look(endpoints.getLoginWay, way)).provider).toEqual(expect.any(String))
    const { requestOidcProof, claimOidcProof } = endpoints
    const { ticket } = await walk.look(requestOidcProof, await ask(requestOidcProof.path, {}))
    const claim = async () => walk.look(claimOidcProof, await ask(claimOidcProof.path, { ticket }))
    expect(await claim()).toEqual({ waiting: true })
    const begun = await world.form(endpoints.openOidcProof.path, { ticket }, cookie)
    await world.back(await new Surfer().logIn(onward(begun), 'ann-1'), cookieIn(begun))
    expect(await claim()).toHaveProperty('proof')
  } finally {
    await world.close()
  }
}

import { endpoints } from '@statewright/core/wire'
import { factorsOf } from '../auth/auth.ts'
import { providerIdOf } from '../auth/oidc/claims.ts'
import { providerName } from '../auth/oidc/settings.ts'
import { demandProof, personOf, prove } from '../pipeline/proof.ts'
import { type Reply, refuse } from '../pipeline/reply.ts'
import { type Answering, type Call, type CallOf, type Route, serve } from '../pipeline/route.ts'
import { linkGone, passkeyOfLink } from './login-link.ts'
import { devicePage, goneLinkPage, linkPage } from './login-page.ts'
import { browserLogin, commandLineLogin, loginCookie } from './new-login.ts'
import { wrongPasskey } from './passkeys.ts'

const pollS = 2

export const loginRoutes: readonly Route[] = [
  serve(endpoints.getLoginWay, ({ server }, reply) => {
    const active = server.auth.oidc.active()
    return reply(200, { provider: active === undefined ? null : providerName(active.config) })
  }),
  serve(
    endpoints.readLoginLink,
    async ({ server, params, request }, reply) => {
      const isProgram = request.headers.get('accept') === 'application/json'
      const link = server.auth.links.find(params.secret)
      if (link === undefined) return isProgram ? linkGone() : goneLinkPage()
      const { person } = link
      const factors = await factorsOf(server.auth, person)
      return isProgram ? reply(200, { person, factors }) : linkPage({ person, factors })
    },
    { isLocal: true },
  ),
  serve(endpoints.redeemLoginLink, redeemLink, { isLocal: true, refusesGuarded: true }),
  serve(
    endpoints.createLoginLink,
    ({ server, identity, body }, reply) => {
      const person = body.person ?? personOf(identity)
      if (providerIdOf(person) !== undefined) {
        const message = 'This name belongs to a person of an identity provider.'
        return refuse('usage', message, { where: 'person', next: 'choose another name.' })
      }
      return reply(201, { url: server.url + server.auth.links.create(person) })
    },
    { isLocal: true },
  ),
  serve(endpoints.beginDeviceLogin, beginDevice),
  serve(endpoints.claimDeviceLogin, pollDevice, { refusesGuarded: true }),
  serve(
    endpoints.confirmDeviceLogin,
    async (call, reply) => {
      const refused = await confirmDevice(call, call.body.user_code)
      return refused ?? reply(200, { confirmed: true })
    },
    { isLocal: true },
  ),
  serve(
    endpoints.readDevicePage,
    async ({ server, identity, query }) => {
      const code = query.code ?? ''
      const waiting = server.auth.devices.waiting(code)
      const factors = await factorsOf(server.auth, personOf(identity))
      return devicePage({ code, factors, ...(waiting === undefined ? {} : { waiting }) })
    },
    { isLocal: true },
  ),
  serve(
    endpoints.sendDevicePage,
    async (call) => {
      const { code, pin } = call.body
      const refused = await confirmDevice(call, code, pin ?? '')
      if (refused === undefined) return devicePage({ code, factors: [], confirmed: true })
      const factors = await factorsOf(call.server.auth, personOf(call.identity))
      return devicePage({ code, factors, refused: refused.status })
    },
    { isLocal: true },
  ),
  serve(
    endpoints.logOut,
    async ({ server, identity }, reply) => {
      await server.auth.tokens.revoke(identity.token.tokenId)
      return { ...reply(200, { ended: true }), headers: { 'set-cookie': loginCookie(server) } }
    },
    { onlyReads: true },
  ),
]

/**
 * Anyone who has the link stands at the terminal of the server: only here a first passkey or PIN is
 * chosen. A passkey that does not count leaves the link as it was.
 */
async function redeemLink(call: CallOf<typeof endpoints.redeemLoginLink>): Promise<Reply> {
  const { server, params, body } = call
  const ofLink = params.secret
  const found = server.auth.links.find(ofLink)
  if (found === undefined) return linkGone()
  const text = body.passkey ?? ''
  const passkey = text === '' ? undefined : await passkeyOfLink(call, found.person, text)
  if (text !== '' && passkey === undefined) return wrongPasskey()
  const link = server.auth.links.redeem(ofLink)
  if (link === undefined) return linkGone()
  const { person } = link
  if (passkey !== undefined) await server.auth.passkeys.add(person, passkey)
  if (body.pin !== undefined && body.pin !== '') await server.auth.pins.set(person, body.pin)
  if (body.name !== undefined) return commandLineLogin(server, { name: body.name, ...link })
  const headers = { location: '/', 'set-cookie': await browserLogin(server, link) }
  return { status: 303, type: 'text/plain; charset=utf-8', payload: null, headers }
}

function beginDevice(
  { server, body }: CallOf<typeof endpoints.beginDeviceLogin>,
  reply: Answering<typeof endpoints.beginDeviceLogin>,
): Reply {
  const begun = server.auth.devices.begin(body.name ?? 'command line')
  const { deviceCode, userCode, expiresInS } = begun
  const hasProvider = server.auth.oidc.active() !== undefined
  const { path: page } = hasProvider ? endpoints.readOidcDevicePage : endpoints.readDevicePage
  return reply(201, {
    device_code: deviceCode,
    user_code: userCode,
    verification_url: `${server.url}${page}?code=${userCode}`,
    expires_in_s: expiresInS,
    interval_s: pollS,
  })
}

async function pollDevice(call: CallOf<typeof endpoints.claimDeviceLogin>): Promise<Reply> {
  const state = call.server.auth.devices.poll(call.body.device_code)
  if (state.kind === 'waiting') {
    return refuse('login_pending', 'Nobody has confirmed the login yet.', {
      next: `ask again in ${pollS} seconds.`,
    })
  }
  if (state.kind === 'unknown') {
    return refuse('login_expired', 'This login has expired.', { next: 'start again.' })
  }
  const { kind: _, by: createdBy, ...login } = state
  return commandLineLogin(call.server, { ...login, createdBy })
}

/**
 * A login that may look and hold, for a command line. Where there is a passkey or a PIN it is asked
 * for: the PIN by the page in its form, else as a proof.
 */
async function confirmDevice(
  call: Pick<Call<unknown, unknown>, 'server' | 'caller' | 'identity' | 'request'>,
  userCode: string,
  pin?: string,
): Promise<Reply | undefined> {
  const { auth } = call.server
  const person = personOf(call.identity)
  if ((await factorsOf(auth, person)).length > 0) {
    const refusal = pin === undefined ? await demandProof(call, 'mint') : await prove(call, pin)
    if (refusal !== undefined && refusal.status !== 201) return refusal
  }
  if (auth.devices.confirm(userCode, { by: call.caller.tokenId, person })) return undefined
  return refuse('login_expired', 'No login is waiting for this code.', { next: 'start again.' })
}

import { Id } from '@statewright/core/wire'
import { z } from 'zod'
import { factorsOf } from '../auth/factors.ts'
import { providerIdOf } from '../auth/oidc/claims.ts'
import { pinLength } from '../auth/pin.ts'
import { demandProof, personOf, prove } from '../door/proof.ts'
import { json, type Reply, refuse } from '../door/reply.ts'
import { type Call, type PublicCall, publicRoute, type Route, route } from '../door/route.ts'
import { linkGone, passkeyOfLink } from './login-link.ts'
import { devicePage, goneLinkPage, linkPage } from './login-page.ts'
import { browserLogin, commandLineLogin, loginCookie } from './new-login.ts'
import { wrongPasskey } from './passkeys.ts'

const pollS = 2
/** Where a command line is confirmed with a login at the provider. */
const devicePath = '/oidc/device'

const Pin = z.string().min(pinLength.least).max(pinLength.most)
const Redeem = z.object({
  pin: Pin.or(z.literal('')).optional(),
  passkey: z.string().max(50_000).optional().describe('That the browser has just made, as JSON.'),
  name: Id.optional().describe('Of a command line, which gets a token instead of a cookie.'),
})
type Redeem = z.infer<typeof Redeem>
const UserCode = z.string().min(1).max(20)

export const loginRoutes: readonly Route[] = [
  publicRoute({
    method: 'GET',
    path: '/login/:secret',
    isLocal: true,
    summary: 'The page of a login link; looking at it, as a preview does, does not use it up.',
    answers: { 200: 'text' },
    handle: async ({ parts, params, request }) => {
      const link = parts.auth.links.find(params.secret ?? '')
      if (link === undefined) return goneLinkPage()
      const { person } = link
      const factors = await factorsOf(parts.auth, person)
      const isProgram = request.headers.get('accept') === 'application/json'
      return isProgram ? json(200, { person, factors }) : linkPage({ person, factors })
    },
  }),
  publicRoute({
    method: 'POST',
    path: '/login/:secret',
    isLocal: true,
    summary: 'What that page sends: logs the browser in, once, and sets a passkey or the PIN.',
    reads: 'form',
    body: Redeem,
    answers: { 201: z.looseObject({ token: z.string() }), 303: 'text' },
    refusesGuarded: true,
    handle: redeemLink,
  }),
  route({
    method: 'POST',
    path: '/api/login/link',
    isLocal: true,
    who: 'person',
    summary: 'Another login link, for another browser.',
    proof: 'mint',
    body: z.object({ person: Id.optional().describe('Whose it is; yours when absent.') }),
    answers: { 201: z.object({ url: z.string() }) },
    handle: ({ parts, identity, body }) => {
      const person = body.person ?? personOf(identity)
      if (providerIdOf(person) !== undefined) {
        const message = 'That is the name of somebody from an identity provider.'
        return refuse('usage', message, { where: 'person', next: 'choose another name.' })
      }
      return json(201, { url: parts.url + parts.auth.links.create(person) })
    },
  }),
  publicRoute({
    method: 'POST',
    path: '/api/login/device',
    summary: 'Begin the login of a command line; a person confirms it in the browser.',
    body: z.object({ name: Id.optional() }),
    answers: { 201: z.looseObject({ device_code: z.string(), user_code: z.string() }) },
    handle: beginDevice,
  }),
  publicRoute({
    method: 'POST',
    path: '/api/login/device/token',
    summary: 'Ask whether the login was confirmed; the token comes once.',
    body: z.object({ device_code: z.string().min(1).max(200) }),
    answers: { 201: z.object({ token: z.string() }) },
    refusesGuarded: true,
    handle: pollDevice,
  }),
  route({
    method: 'POST',
    path: '/api/login/device/confirm',
    isLocal: true,
    who: 'person',
    summary: 'Confirm the login of a command line by the code it shows.',
    body: z.object({ user_code: UserCode }),
    answers: { 200: z.object({ confirmed: z.literal(true) }) },
    handle: async (call) => {
      const refused = await confirmDevice(call, call.body.user_code)
      return refused ?? json(200, { confirmed: true })
    },
  }),
  route({
    method: 'GET',
    path: '/login-device',
    isLocal: true,
    who: 'person',
    summary: 'The page on which a person confirms the login of a command line.',
    query: z.object({ code: UserCode.optional() }),
    answers: { 200: 'text' },
    handle: async ({ parts, identity, query }) => {
      const code = query.code ?? ''
      const waiting = parts.auth.devices.waiting(code)
      const factors = await factorsOf(parts.auth, personOf(identity))
      return devicePage({ code, factors, ...(waiting === undefined ? {} : { waiting }) })
    },
  }),
  route({
    method: 'POST',
    path: '/login-device',
    isLocal: true,
    who: 'person',
    summary: 'What that page sends.',
    reads: 'form',
    body: z.object({ code: UserCode, pin: z.string().max(pinLength.most).optional() }),
    answers: { 200: 'text' },
    handle: async (call) => {
      const { code, pin } = call.body
      const refused = await confirmDevice(call, code, pin ?? '')
      if (refused === undefined) return devicePage({ code, factors: [], confirmed: true })
      const factors = await factorsOf(call.parts.auth, personOf(call.identity))
      return devicePage({ code, factors, refused: refused.status })
    },
  }),
  route({
    method: 'POST',
    path: '/api/logout',
    onlyReads: true,
    who: 'person',
    summary: 'End this login: the token or browser session is no longer valid.',
    body: z.object({}),
    answers: { 200: z.object({ ended: z.literal(true) }) },
    handle: async ({ parts, identity }) => {
      await parts.auth.tokens.revoke(identity.token.tokenId)
      return { ...json(200, { ended: true }), headers: { 'set-cookie': loginCookie(parts) } }
    },
  }),
  route({
    method: 'POST',
    path: '/api/proof',
    isLocal: true,
    who: 'person',
    summary: 'Prove with the PIN that you are there; the proof is valid for ten minutes.',
    body: z.object({ pin: z.string().min(1).max(pinLength.most) }),
    answers: { 201: z.object({ proof: z.string(), expires_at: z.number() }) },
    handle: (call) => prove(call, call.body.pin),
  }),
  route({
    method: 'PUT',
    path: '/api/pin',
    isLocal: true,
    who: 'person',
    summary: 'Change the PIN. The first one is chosen on the page of a login link.',
    proof: 'mint',
    body: z.object({ pin: Pin }),
    answers: { 200: z.object({ set: z.literal(true) }) },
    handle: async ({ parts, identity, body }) => {
      const person = personOf(identity)
      if (person === '') return refuse('not_permitted', 'A PIN belongs to a named person.')
      await parts.auth.pins.set(person, body.pin)
      return json(200, { set: true })
    },
  }),
]

/**
 * Whoever has the link stands at the terminal of the server: only here a first passkey or PIN is
 * chosen. A passkey that does not count leaves the link as it was.
 */
async function redeemLink(call: PublicCall<Redeem, undefined>): Promise<Reply> {
  const { parts, params, body } = call
  const ofLink = params.secret ?? ''
  const found = parts.auth.links.find(ofLink)
  if (found === undefined) return linkGone()
  const text = body.passkey ?? ''
  const passkey = text === '' ? undefined : await passkeyOfLink(call, found.person, text)
  if (text !== '' && passkey === undefined) return wrongPasskey()
  const link = parts.auth.links.redeem(ofLink)
  if (link === undefined) return linkGone()
  const { person } = link
  if (passkey !== undefined) await parts.auth.passkeys.add(person, passkey)
  if (body.pin !== undefined && body.pin !== '') await parts.auth.pins.set(person, body.pin)
  if (body.name !== undefined) return commandLineLogin(parts, { name: body.name, ...link })
  const headers = { location: '/', 'set-cookie': await browserLogin(parts, link) }
  return { status: 303, type: 'text/plain; charset=utf-8', payload: null, headers }
}

function beginDevice({ parts, body }: PublicCall<{ name?: string | undefined }, undefined>): Reply {
  const begun = parts.auth.devices.begin(body.name ?? 'command line')
  if (begun === undefined) {
    return refuse('too_many_requests', 'Too many logins wait to be confirmed.', {
      next: 'try again in ten minutes.',
    })
  }
  const { deviceCode, userCode, expiresInS } = begun
  const page = parts.auth.oidc.active() === undefined ? '/login-device' : devicePath
  return json(201, {
    device_code: deviceCode,
    user_code: userCode,
    verification_url: `${parts.url}${page}?code=${userCode}`,
    expires_in_s: expiresInS,
    interval_s: pollS,
  })
}

async function pollDevice(call: PublicCall<{ device_code: string }, undefined>): Promise<Reply> {
  const state = call.parts.auth.devices.poll(call.body.device_code)
  if (state.kind === 'waiting') {
    return refuse('login_pending', 'Nobody has confirmed the login yet.', {
      next: `ask again in ${pollS} seconds.`,
    })
  }
  if (state.kind === 'unknown') {
    return refuse('login_expired', 'This login is over.', { next: 'begin anew.' })
  }
  const { kind: _, by: createdBy, ...login } = state
  return commandLineLogin(call.parts, { ...login, createdBy })
}

/**
 * A login that may look and hold, for a command line. Where there is a passkey or a PIN it is asked
 * for: the PIN by the page in its form, else as a proof.
 */
async function confirmDevice(
  call: Call<unknown, unknown>,
  userCode: string,
  pin?: string,
): Promise<Reply | undefined> {
  const { auth } = call.parts
  const person = personOf(call.identity)
  if ((await factorsOf(auth, person)).length > 0) {
    const asked = pin === undefined ? await demandProof(call, 'mint') : await prove(call, pin)
    if (asked !== undefined && asked.status !== 201) return asked
  }
  if (auth.devices.confirm(userCode, { by: call.caller.tokenId, person })) return undefined
  return refuse('login_expired', 'No login waits under this code.', { next: 'begin anew.' })
}

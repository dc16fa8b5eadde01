import { z } from 'zod'
import { pinLength } from '../auth/pin.ts'
import { json, type Reply, refuse } from '../door/reply.ts'
import { type Call, type PublicCall, publicRoute, type Route, route } from '../door/route.ts'
import { checkPin, pinHeader } from '../door/step-up.ts'
import { devicePage } from './login-page.ts'
import { Id } from './shapes.ts'

const sessionMs = 7 * 24 * 60 * 60_000
const pollS = 2

const Pin = z.string().min(pinLength.least).max(pinLength.most)
const UserCode = z.string().min(1).max(20)

export const loginRoutes: readonly Route[] = [
  publicRoute({
    method: 'GET',
    path: '/login/:secret',
    summary: 'The login link: makes this browser a person, once.',
    answers: { 303: 'text' },
    refusesGuarded: true,
    handle: redeemLink,
  }),
  route({
    method: 'POST',
    path: '/api/login/link',
    who: 'person',
    summary: 'Another login link, for another browser.',
    body: z.object({}),
    answers: { 201: z.object({ url: z.string() }) },
    handle: ({ parts }) => json(201, { url: parts.url + parts.auth.links.create() }),
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
    answers: { 200: z.object({ token: z.string() }) },
    refusesGuarded: true,
    handle: pollDevice,
  }),
  route({
    method: 'POST',
    path: '/api/login/device/confirm',
    who: 'person',
    summary: 'Confirm the login of a command line by the code it shows.',
    body: z.object({ user_code: UserCode }),
    answers: { 200: z.object({ confirmed: z.literal(true) }) },
    handle: async (call) => {
      const refused = await confirmDevice(call, call.body.user_code, pinOf(call))
      return refused ?? json(200, { confirmed: true })
    },
  }),
  route({
    method: 'GET',
    path: '/login-device',
    who: 'person',
    summary: 'The page on which a person confirms the login of a command line.',
    query: z.object({ code: UserCode.optional() }),
    answers: { 200: 'text' },
    handle: async ({ parts, query }) => {
      const code = query.code ?? ''
      const waiting = parts.auth.devices.waiting(code)
      const asksPin = await parts.auth.pin.isSet()
      return devicePage({ code, asksPin, ...(waiting === undefined ? {} : { waiting }) })
    },
  }),
  route({
    method: 'POST',
    path: '/login-device',
    who: 'person',
    summary: 'What that page sends.',
    reads: 'form',
    body: z.object({ code: UserCode, pin: z.string().max(pinLength.most).optional() }),
    answers: { 200: 'text' },
    handle: async (call) => {
      const { code, pin } = call.body
      const refused = await confirmDevice(call, code, pin ?? null)
      if (refused === undefined) return devicePage({ code, asksPin: false, confirmed: true })
      return devicePage({ code, asksPin: true, refused: refused.status })
    },
  }),
  route({
    method: 'POST',
    path: '/api/logout',
    who: 'person',
    summary: 'End this login: the token or browser session stops counting.',
    body: z.object({}),
    answers: { 200: z.object({ ended: z.literal(true) }) },
    handle: async ({ parts, identity }) => {
      await parts.auth.tokens.revoke(identity.token.tokenId)
      return { ...json(200, { ended: true }), headers: { 'set-cookie': cookie(parts, '', 0) } }
    },
  }),
  route({
    method: 'PUT',
    path: '/api/pin',
    who: 'person',
    summary: `Set the PIN. Where there is one already, ${pinHeader} must carry it.`,
    body: z.object({ pin: Pin }),
    answers: { 200: z.object({ set: z.literal(true) }) },
    handle: async (call) => {
      const { auth } = call.parts
      const refused = (await auth.pin.isSet()) ? await checkPin(call.parts, pinOf(call)) : undefined
      if (refused !== undefined) return refused
      await auth.pin.set(call.body.pin)
      return json(200, { set: true })
    },
  }),
]

async function redeemLink(call: PublicCall<undefined, undefined>): Promise<Reply> {
  const { parts, params, request } = call
  // A preview of the link must not use it up.
  if (request.method !== 'GET' || !parts.auth.links.redeem(params.secret ?? '')) {
    return refuse('login_expired', 'This login link was used before, or is too old.', {
      next: 'take a new one from the terminal of the server.',
    })
  }
  const { secret } = await parts.auth.tokens.mintSession({
    name: 'browser',
    createdBy: 'login link',
    expiresAt: parts.runtime.clock.now() + sessionMs,
  })
  const headers = { location: '/', 'set-cookie': cookie(parts, secret, sessionMs / 1000) }
  return { status: 303, type: 'text/plain; charset=utf-8', payload: null, headers }
}

function cookie(
  { cookieName, url }: Call<unknown, unknown>['parts'],
  secret: string,
  maxAgeS: number,
): string {
  const secure = url.startsWith('https:') ? '; Secure' : ''
  return `${cookieName}=${secret}; Path=/; Max-Age=${maxAgeS}; HttpOnly; SameSite=Strict${secure}`
}

function beginDevice({ parts, body }: PublicCall<{ name?: string | undefined }, undefined>): Reply {
  const begun = parts.auth.devices.begin(body.name ?? 'command line')
  if (begun === undefined) {
    return refuse('too_many_requests', 'Too many logins wait to be confirmed.', {
      next: 'try again in ten minutes.',
    })
  }
  const { deviceCode, userCode, expiresInS } = begun
  return json(201, {
    device_code: deviceCode,
    user_code: userCode,
    verification_url: `${parts.url}/login-device?code=${userCode}`,
    expires_in_s: expiresInS,
    interval_s: pollS,
  })
}

async function pollDevice(call: PublicCall<{ device_code: string }, undefined>): Promise<Reply> {
  const { auth } = call.parts
  const state = auth.devices.poll(call.body.device_code)
  if (state.kind === 'waiting') {
    return refuse('login_pending', 'Nobody has confirmed the login yet.', {
      next: `ask again in ${pollS} seconds.`,
    })
  }
  if (state.kind === 'unknown') {
    return refuse('login_expired', 'This login is over.', { next: 'begin anew.' })
  }
  const { secret, row } = await auth.tokens.mint({
    kind: 'person',
    name: state.name,
    createdBy: state.by,
  })
  return json(200, { token: secret, id: row.tokenId })
}

/** Handing out a person's token is minting one: with a PIN there is, it is asked for. */
async function confirmDevice(
  { parts, caller }: Call<unknown, unknown>,
  userCode: string,
  pin: string | null,
): Promise<Reply | undefined> {
  const { auth } = parts
  const refused = (await auth.pin.isSet()) ? await checkPin(parts, pin) : undefined
  if (refused !== undefined) return refused
  if (auth.devices.confirm(userCode, caller.tokenId)) return undefined
  return refuse('login_expired', 'No login waits under this code.', { next: 'begin anew.' })
}

function pinOf({ request }: Call<unknown, unknown>): string | null {
  return request.headers.get(pinHeader)
}

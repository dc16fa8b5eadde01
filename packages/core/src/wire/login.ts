import { z } from 'zod'
import { Id } from './basics.ts'
import { endpoint } from './endpoint.ts'
import { Factor, Pin, pinLength } from './proof.ts'

/** Shown on one screen, and typed on another. */
const UserCode = z.string().min(1).max(20)

/** A login of a command line that waits for a person in a browser. */
export const DeviceLogin = z.object({
  device_code: z.string().describe('Code with which the command line asks for its token.'),
  user_code: z.string().describe('Code that the person sees and confirms.'),
  verification_url: z.string(),
  expires_in_s: z.number(),
  interval_s: z.number().describe('How long to wait before asking again.'),
})
export type DeviceLogin = z.infer<typeof DeviceLogin>

/** The token of a command line, which comes once. */
export const CommandLineLogin = z.object({ token: z.string(), id: z.string() })
export type CommandLineLogin = z.infer<typeof CommandLineLogin>

/** The ways in which a browser or a command line becomes a person's. */
export const loginEndpoints = {
  getLoginWay: endpoint({
    method: 'GET',
    path: '/api/login',
    who: 'public',
    summary: 'How people log in here: with links, or with an identity provider.',
    answers: { 200: z.object({ provider: z.string().nullable() }) },
  }),
  readLoginLink: endpoint({
    method: 'GET',
    path: '/login/:secret',
    who: 'public',
    summary: 'The page of a login link; looking at it, as a preview does, does not use it up.',
    answers: { 200: z.object({ person: z.string(), factors: z.array(Factor) }) },
  }),
  redeemLoginLink: endpoint({
    method: 'POST',
    path: '/login/:secret',
    who: 'public',
    summary: 'What that page sends: logs the browser in, once, and sets a passkey or the PIN.',
    reads: 'form',
    body: z.strictObject({
      pin: Pin.or(z.literal('')).optional(),
      passkey: z
        .string()
        .max(50_000)
        .optional()
        .describe('The passkey that the browser just created, as JSON.'),
      name: Id.optional().describe('From a command line, which gets a token instead of a cookie.'),
    }),
    answers: { 201: CommandLineLogin, 303: 'text' },
  }),
  createLoginLink: endpoint({
    method: 'POST',
    path: '/api/login/link',
    who: 'person',
    summary: 'Another login link, for another browser.',
    proof: 'mint',
    body: z.strictObject({
      person: Id.optional().describe('Whose link it is; yours when absent.'),
    }),
    answers: { 201: z.object({ url: z.string() }) },
  }),
  beginDeviceLogin: endpoint({
    method: 'POST',
    path: '/api/login/device',
    who: 'public',
    summary: 'Start the login of a command line; a person confirms it in the browser.',
    body: z.strictObject({ name: Id.optional() }),
    answers: { 201: DeviceLogin },
  }),
  claimDeviceLogin: endpoint({
    method: 'POST',
    path: '/api/login/device/token',
    who: 'public',
    summary: 'Ask whether the login was confirmed; the token comes once.',
    body: z.strictObject({ device_code: z.string().min(1).max(200) }),
    answers: { 201: CommandLineLogin },
  }),
  confirmDeviceLogin: endpoint({
    method: 'POST',
    path: '/api/login/device/confirm',
    who: 'person',
    summary: 'Confirm the login of a command line by the code it shows.',
    body: z.strictObject({ user_code: UserCode }),
    answers: { 200: z.object({ confirmed: z.literal(true) }) },
  }),
  logOut: endpoint({
    method: 'POST',
    path: '/api/logout',
    who: 'person',
    summary: 'End this login: the token or browser session is no longer valid.',
    body: z.strictObject({}),
    answers: { 200: z.object({ ended: z.literal(true) }) },
  }),
}

/** Pages for people, and what their forms send. */
export const loginPageEndpoints = {
  readDevicePage: endpoint({
    method: 'GET',
    path: '/login-device',
    who: 'person',
    summary: 'The page on which a person confirms the login of a command line.',
    query: z.strictObject({ code: UserCode.optional() }),
    answers: { 200: 'text' },
  }),
  sendDevicePage: endpoint({
    method: 'POST',
    path: '/login-device',
    who: 'person',
    summary: 'What that page sends.',
    reads: 'form',
    body: z.strictObject({ code: UserCode, pin: z.string().max(pinLength.max).optional() }),
    answers: { 200: 'text' },
  }),
  beginOidcLogin: endpoint({
    method: 'POST',
    path: '/oidc/login',
    who: 'public',
    summary: 'What the login button sends: leads the browser to the identity provider.',
    reads: 'form',
    body: z.strictObject({ back: z.string().max(2000).optional() }),
    answers: { 200: 'text' },
  }),
  finishOidcLogin: endpoint({
    method: 'GET',
    path: '/oidc/callback',
    who: 'public',
    summary: 'Where the identity provider leads the browser back to.',
    answers: { 200: 'text' },
  }),
  readOidcDevicePage: endpoint({
    method: 'GET',
    path: '/oidc/device',
    who: 'public',
    summary: 'The page on which a person confirms a command line with a fresh login.',
    query: z.strictObject({ code: UserCode.optional() }),
    answers: { 200: 'text' },
  }),
  sendOidcDevicePage: endpoint({
    method: 'POST',
    path: '/oidc/device',
    who: 'public',
    summary: 'What that page sends.',
    reads: 'form',
    body: z.strictObject({ code: z.string().max(20) }),
    answers: { 200: 'text' },
  }),
}

import { endpoints, ownPath } from '@statewright/core/wire'
import type { HttpRequest } from '../../base/http-request.ts'
import { problem, type RuntimeProblem } from '../../base/problem.ts'
import type { Purpose } from '../auth/oidc/attempts.ts'
import { providerIdOf } from '../auth/oidc/claims.ts'
import type { ActiveOidc } from '../auth/oidc/oidc.ts'
import { proofRequestMs } from '../auth/oidc/proof-requests.ts'
import { providerName } from '../auth/oidc/settings.ts'
import { giveProof, personOf } from '../pipeline/proof.ts'
import { problemReply, type Reply, refuse } from '../pipeline/reply.ts'
import {
  type Answering,
  type CallOf,
  type PublicCall,
  type Route,
  type ServerDependencies,
  serve,
} from '../pipeline/route.ts'
import { callbackPath, comeBack, faultProblem } from './oidc-callback.ts'
import { attemptCookie } from './oidc-cookie.ts'
import { confirmPage, onwardPage, refusedPage } from './oidc-page.ts'

const pollS = 1

/** Logins and proofs by the identity provider; each answers with a page, since browsers call it. */
export const oidcRoutes: readonly Route[] = [
  serve(
    endpoints.beginOidcLogin,
    (call) =>
      withProvider(call.server, (active) =>
        leadOn(call, active, { kind: 'login', back: ownPath(call.body.back) }),
      ),
    { refusesGuarded: true },
  ),
  serve(
    endpoints.finishOidcLogin,
    (call) => withProvider(call.server, (active) => comeBack(call, active)),
    { refusesGuarded: true },
  ),
  serve(endpoints.requestOidcProof, askForProof),
  serve(endpoints.claimOidcProof, claimProof),
  serve(endpoints.openOidcProof, openProof, { refusesGuarded: true }),
  serve(endpoints.readOidcDevicePage, ({ server, query }) =>
    withProvider(server, ({ config }) => {
      const code = query.code ?? ''
      const waiting = server.auth.devices.waiting(code)
      // The code of a proof is typed: a page that opened by itself must not have it already.
      const known = waiting === undefined ? { code: '' } : { code, waiting }
      return confirmPage({ provider: providerName(config), ...known })
    }),
  ),
  serve(
    endpoints.sendOidcDevicePage,
    (call) =>
      withProvider(call.server, async (active) => {
        const { devices, oidc } = call.server.auth
        const userCode = call.body.code
        const isWaiting =
          devices.waiting(userCode) !== undefined || oidc.proofs.byCode(userCode) !== undefined
        if (isWaiting) return leadOn(call, active, { kind: 'confirm', userCode })
        const provider = providerName(active.config)
        return confirmPage({ provider, code: userCode, isUnknown: true })
      }),
    { refusesGuarded: true },
  ),
]

async function withProvider(
  { auth }: ServerDependencies,
  handle: (active: ActiveOidc) => Promise<Reply> | Reply,
): Promise<Reply> {
  const active = auth.oidc.active()
  if (active !== undefined) return handle(active)
  return refuse('not_found', 'This server does not use an identity provider.', {
    next: 'use a login link from the terminal of the server.',
  })
}

/** Begins in this browser: a cookie of its own binds what comes back to it. */
async function leadOn(
  { server, request }: Pick<PublicCall<unknown, unknown>, 'server' | 'request'>,
  { config, provider }: ActiveOidc,
  purpose: Purpose,
): Promise<Reply> {
  const elsewhere = refuseOtherHost(server, request)
  if (elsewhere !== undefined) return refusedPage(elsewhere, server.url)
  const begun = server.auth.oidc.attempts.begin(purpose)
  try {
    const redirectUri = server.url + callbackPath
    const isFresh = purpose.kind === 'confirm'
    const address = await provider.address(begun, { redirectUri, isFresh })
    const headers = { 'set-cookie': attemptCookie(server, begun.state, begun.browser) }
    return { ...onwardPage(providerName(config), address.href), headers }
  } catch (fault) {
    return refusedPage(faultProblem(server, config, fault))
  }
}

/** The provider leads back to one address, and cookies of another are not sent there. */
function refuseOtherHost(
  { url }: ServerDependencies,
  request: HttpRequest,
): RuntimeProblem | undefined {
  const { host } = new URL(url)
  if (request.headers.get('host')?.toLowerCase() === host) return undefined
  const message = 'The identity provider knows this server by another address.'
  return problem('oidc_refused', message, { next: `open ${url} and log in there.` })
}

async function askForProof(
  { server, identity }: CallOf<typeof endpoints.requestOidcProof>,
  reply: Answering<typeof endpoints.requestOidcProof>,
): Promise<Reply> {
  const { token } = identity
  const person = personOf(identity)
  if (server.auth.oidc.active() === undefined || providerIdOf(person) === undefined) {
    return refuse('usage', 'You are not logged in with an identity provider.', {
      next: 'confirm with your passkey or PIN.',
    })
  }
  const { ticket, userCode } = server.auth.oidc.proofs.begin({ tokenId: token.tokenId, person })
  return reply(201, {
    ticket,
    user_code: userCode,
    verification_url: `${server.url}/oidc/device`,
    expires_in_s: proofRequestMs / 1000,
    interval_s: pollS,
  })
}

async function claimProof(
  { server, identity, body }: CallOf<typeof endpoints.claimOidcProof>,
  reply: Answering<typeof endpoints.claimOidcProof>,
): Promise<Reply> {
  const { tokenId } = identity.token
  const state = server.auth.oidc.proofs.claim(body.ticket, tokenId)
  if (state.kind === 'waiting') return reply(200, { waiting: true })
  if (state.kind === 'unknown') {
    return refuse('login_expired', 'This confirmation has expired.', { next: 'start again.' })
  }
  const { outcome } = state
  if ('problem' in outcome) return problemReply(outcome.problem)
  return giveProof(server, tokenId, outcome.verbs)
}

/** Only from our page, which has the cookie of its login: a token from a disk begins none. */
async function openProof(call: CallOf<typeof endpoints.openOidcProof>): Promise<Reply> {
  const { server, identity, body } = call
  const { tokenId } = identity.token
  const request = server.auth.oidc.proofs.byTicket(body.ticket, tokenId)
  if (identity.via !== 'cookie' || request === undefined) {
    const next = 'start again in the dashboard.'
    return refusedPage(problem('login_expired', 'This confirmation has expired.', { next }))
  }
  const { userCode } = request
  return withProvider(server, (active) => leadOn(call, active, { kind: 'confirm', userCode }))
}

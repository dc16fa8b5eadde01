import { endpoints, type Verb } from '@statewright/core/wire'
import { problem, type RuntimeProblem } from '../../base/problem.ts'
import type { OidcConfig } from '../../config/oidc-schema.ts'
import type { Attempt } from '../auth/oidc/attempts.ts'
import { isSamePerson, personName, verbsOf } from '../auth/oidc/claims.ts'
import type { ActiveOidc } from '../auth/oidc/oidc.ts'
import { ProviderFault, type ProviderLogin } from '../auth/oidc/provider.ts'
import { providerName } from '../auth/oidc/settings.ts'
import type { Reply } from '../pipeline/reply.ts'
import type { PublicCall, ServerDependencies } from '../pipeline/route.ts'
import { browserLogin } from './new-login.ts'
import { attemptIn } from './oidc-cookie.ts'
import { confirmedPage, loggedInPage, refusedPage } from './oidc-page.ts'

export const callbackPath = endpoints.finishOidcLogin.path
/** Both times are whole seconds, and the answer was on its way for a moment. */
const slackS = 2
const createdBy = 'identity provider'

/** Takes a browser back from the provider: once, and only the one that was sent there. */
export async function comeBack(
  { server, request }: Pick<PublicCall<unknown, unknown>, 'server' | 'request'>,
  { config, provider }: ActiveOidc,
): Promise<Reply> {
  const back = new URL(server.url + callbackPath)
  back.search = new URL(request.url).search
  const state = back.searchParams.get('state') ?? ''
  const attempt = server.auth.oidc.attempts.take(state, attemptIn(server, state, request))
  if (attempt === undefined) {
    server.log.warn('a login came back from the identity provider that this browser did not start')
    const message = 'This login was not started in this browser, was already used, or has expired.'
    return refusedPage(problem('oidc_refused', message, { next: 'start again.' }))
  }
  try {
    const login = await provider.finish(back, { ...attempt, state })
    return await settle(server, config, attempt, login)
  } catch (fault) {
    return refusedPage(faultProblem(server, config, fault))
  }
}

/** Words of a library or a provider go to the log; people get a sentence of ours. */
export function faultProblem(
  { log }: ServerDependencies,
  config: OidcConfig,
  fault: unknown,
): RuntimeProblem {
  if (!(fault instanceof ProviderFault)) throw fault
  log.warn({ err: fault.cause ?? fault }, fault.message)
  const isAway = fault.kind === 'unavailable'
  const next = isAway
    ? `try again. The log of the server shows what ${providerName(config)} answered.`
    : 'start again.'
  return problem(isAway ? 'oidc_unavailable' : 'oidc_refused', fault.message, { next })
}

function settle(
  server: ServerDependencies,
  config: OidcConfig,
  attempt: Attempt,
  login: ProviderLogin,
): Promise<Reply> | Reply {
  const { purpose } = attempt
  const id = { issuer: config.issuer, subject: login.subject }
  const person = personName(id, login.claims, config.name_claim)
  const verbs = verbsOf(login.claims, config)
  if (purpose.kind === 'login') return logIn(server, { person, verbs, back: purpose.back })
  if (!isFresh(login, server.runtime.clock.now() - attempt.startedAt)) return refusedPage(stale)
  return confirm(server, purpose.userCode, { person, verbs })
}

/** Younger than the request for it, which no clock of two machines has to agree on. */
function isFresh({ ageS }: ProviderLogin, sinceMs: number): boolean {
  return ageS !== undefined && ageS >= -slackS && ageS <= sinceMs / 1000 + slackS
}

const stale = problem(
  'oidc_refused',
  'The identity provider does not confirm that you logged in just now.',
  {
    next: 'type your password or use your key there; the provider must send "auth_time".',
  },
)

const noRole = problem('not_permitted', 'None of your roles may do anything here.', {
  next: 'ask whoever gives roles at the identity provider, then log in again.',
})

interface OidcPerson {
  readonly person: string
  readonly verbs: readonly Verb[] | undefined
}

async function logIn(
  server: ServerDependencies,
  { person, verbs, back }: OidcPerson & { readonly back: string },
): Promise<Reply> {
  if (verbs === undefined) return refusedPage(noRole)
  const cookie = await browserLogin(server, { person, verbs, createdBy })
  server.log.info({ person }, 'somebody logged in with the identity provider')
  return { ...loggedInPage(back), headers: { 'set-cookie': cookie } }
}

/** Lets the page or command line go on that waits under this code. */
function confirm(
  { auth }: ServerDependencies,
  userCode: string,
  { person, verbs }: OidcPerson,
): Reply {
  const request = auth.oidc.proofs.byCode(userCode)
  if (request === undefined) {
    if (verbs === undefined) return refusedPage(noRole)
    const isDone = auth.devices.confirm(userCode, { by: createdBy, person, verbs })
    return isDone
      ? confirmedPage('The command line is logged in. You can close this page.')
      : refusedPage(gone)
  }
  if (!isSamePerson(request.person, person)) return refusedPage(another)
  auth.oidc.proofs.settle(request, verbs === undefined ? { problem: noRole } : { verbs })
  return confirmedPage('You are confirmed. Go back to where you were. You can close this page.')
}

const gone = problem('login_expired', 'Nothing is waiting for this login any more.', {
  next: 'start again.',
})

const another = problem(
  'oidc_refused',
  'You logged in as a different person than the one who asked.',
  {
    next: 'log in with the account that you use here.',
  },
)

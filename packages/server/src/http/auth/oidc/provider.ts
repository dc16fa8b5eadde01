import type { Configuration, CustomFetchOptions } from 'openid-client'
import { boundedFetch } from '../../../upstream/bounded-fetch.ts'
import type { StartedAttempt } from './attempts.ts'
import { type Claims, claimAt } from './claims.ts'
import type { OidcSettings } from './settings.ts'

/** It takes a while to load, and most servers have no provider. */
const library = () => import('openid-client')

/** Why a login at the provider did not come about: it is away, or what came back does not count. */
export class ProviderFault extends Error {
  readonly kind: 'unavailable' | 'refused'

  constructor(kind: ProviderFault['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}

const answerBytes = 1024 * 1024
const answerS = 10
/** Providers change their endpoints rarely, but they do. */
const discoveryMs = 10 * 60_000

export interface ProviderLogin {
  readonly claims: Claims
  readonly subject: string
  /** Seconds between the person's login and the token that tells of it, by the provider's clock. */
  readonly ageS: number | undefined
}

/** The provider of the configuration; this file alone speaks with the library. */
export class Provider {
  readonly #settings: OidcSettings
  readonly #now: () => number
  #found: { readonly configuration: Promise<Configuration>; readonly at: number } | undefined

  constructor(settings: OidcSettings, now: () => number) {
    this.#settings = settings
    this.#now = now
  }

  /** Where the browser goes to log in; `isFresh` asks for the person's factors, not a session. */
  async address(
    begun: Pick<StartedAttempt, 'state' | 'nonce' | 'verifier'>,
    { redirectUri, isFresh }: { readonly redirectUri: string; readonly isFresh: boolean },
  ): Promise<URL> {
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library()
    const configuration = await this.#configuration()
    const { scopes = ['profile'] } = this.#settings.config
    return buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: [...new Set(['openid', ...scopes])].join(' '),
      state: begun.state,
      nonce: begun.nonce,
      code_challenge: await calculatePKCECodeChallenge(begun.verifier),
      code_challenge_method: 'S256',
      ...(isFresh ? { prompt: 'login', max_age: '0' } : {}),
    })
  }

  /** Trades the code that came back for what the provider says of the person. */
  async finish(
    back: URL,
    { state, nonce, verifier }: Pick<StartedAttempt, 'state' | 'nonce' | 'verifier'>,
  ): Promise<ProviderLogin> {
    const { authorizationCodeGrant } = await library()
    const configuration = await this.#configuration()
    const tokens = await named('refused', 'The provider did not confirm the login.', () =>
      authorizationCodeGrant(configuration, back, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      }),
    )
    const reported = tokens.claims()
    // The library lets some providers speak for many issuers; a person belongs to this one.
    if (reported === undefined || !isSameAddress(reported.iss, this.#settings.config.issuer)) {
      throw new ProviderFault('refused', 'The login comes from another issuer.')
    }
    const { sub: subject, auth_time: authTime, iat } = reported
    const claims = {
      ...(await this.#more(configuration, tokens.access_token, reported)),
      ...reported,
    }
    return { claims, subject, ageS: authTime === undefined ? undefined : iat - authTime }
  }

  /** Many providers keep the token short, and tell name and roles only when asked. */
  async #more(
    configuration: Configuration,
    accessToken: string,
    reported: Claims,
  ): Promise<Claims> {
    const { name_claim = 'name', roles_claim = 'roles' } = this.#settings.config
    const wanted = [name_claim, roles_claim]
    const isWhole = wanted.every((claim) => claimAt(reported, claim) !== undefined)
    if (isWhole || configuration.serverMetadata().userinfo_endpoint === undefined) return {}
    const { fetchUserInfo } = await library()
    return named('unavailable', 'The provider does not say who the person is.', () =>
      fetchUserInfo(configuration, accessToken, String(reported.sub)),
    )
  }

  /** What was found counts for a while; what failed is tried again by the next login. */
  #configuration(): Promise<Configuration> {
    const known = this.#found
    if (known !== undefined && Math.abs(this.#now() - known.at) < discoveryMs) {
      return known.configuration
    }
    const configuration = this.#discover()
    this.#found = { configuration, at: this.#now() }
    configuration.catch(() => {
      if (this.#found?.configuration === configuration) this.#found = undefined
    })
    return configuration
  }

  async #discover(): Promise<Configuration> {
    const { issuer, client_id, client_auth = 'basic' } = this.#settings.config
    const secret = this.#settings.secret()
    if ('missing' in secret) throw new ProviderFault('unavailable', secret.missing)
    const openid = await library()
    const authentication =
      secret.value === undefined
        ? openid.None()
        : client_auth === 'post'
          ? openid.ClientSecretPost(secret.value)
          : openid.ClientSecretBasic(secret.value)
    const isLocal = isLoopback(new URL(issuer))
    const found = await named('unavailable', 'The identity provider cannot be reached.', () =>
      openid.discovery(new URL(issuer), client_id, undefined, authentication, {
        timeout: answerS,
        [openid.customFetch]: (url, init) => ask(safeAddress(url, isLocal), init),
        execute: [
          openid.enableNonRepudiationChecks,
          // Our own fetch still refuses every other address without TLS.
          ...(isLocal ? [openid.allowInsecureRequests] : []),
        ],
      }),
    )
    safeAddress(found.serverMetadata().authorization_endpoint ?? '', isLocal)
    return found
  }
}

function ask(url: URL, { body, ...init }: CustomFetchOptions): Promise<Response> {
  const sent = body === undefined ? {} : { body }
  return boundedFetch(fetch, answerBytes)(url, { ...init, ...sent, redirect: 'manual' })
}

/**
 * The code, the secret and the password of the person go to these addresses: over TLS, or to a
 * provider on this machine where the configuration itself names one.
 */
function safeAddress(address: string | URL, isLocal: boolean): URL {
  const url = URL.canParse(String(address)) ? new URL(address) : undefined
  if (url?.protocol === 'https:') return url
  if (url !== undefined && isLocal && isLoopback(url)) return url
  const shown = String(address).slice(0, 200)
  throw new ProviderFault(
    'unavailable',
    `The provider redirects to an address without TLS: ${shown}`,
  )
}

function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)
}

function isSameAddress(one: string, other: string): boolean {
  return URL.canParse(one) && new URL(one).href === new URL(other).href
}

/** Whatever the library throws, with a sentence of ours; its own words go to the log. */
async function named<Value>(
  kind: ProviderFault['kind'],
  message: string,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work()
  } catch (fault) {
    const known = faultIn(fault)
    if (known !== undefined) throw known
    const word = fault instanceof Error && 'error' in fault ? String(fault.error) : ''
    const why = /^[a-z_]{1,40}$/.test(word) ? ` It says ${word}.` : ''
    throw new ProviderFault(isAway(fault) ? 'unavailable' : kind, message + why, fault)
  }
}

/** Our own fetch throws inside of the library, which wraps it. */
function faultIn(fault: unknown): ProviderFault | undefined {
  if (fault instanceof ProviderFault) return fault
  return fault instanceof Error && fault.cause !== undefined ? faultIn(fault.cause) : undefined
}

/** Nobody answered, or not in time: the login itself was not refused. */
function isAway(fault: unknown): boolean {
  if (!(fault instanceof Error)) return false
  if (fault.name === 'TimeoutError' || fault.message === 'fetch failed') return true
  return fault.cause !== undefined && isAway(fault.cause)
}

import { type Clock, systemClock } from '../../packages/server/src/base/clock.ts'
import type { OidcConfig } from '../../packages/server/src/config/oidc-schema.ts'
import {
  origin,
  type ServerAnswer,
  type TestServer,
  testServer,
} from '../../packages/server/testing/server.ts'
import { clientSecret, IdentityProvider, Surfer } from '../support/identity-provider.ts'

/** A server in memory whose people log in at a real provider. */
export class OidcWorld {
  readonly provider: IdentityProvider
  readonly server: TestServer
  /** What is configured; null is no provider. */
  config: OidcConfig | null
  /** How far the clock of the server is ahead. */
  aheadMs = 0

  private constructor(provider: IdentityProvider, server: TestServer) {
    this.provider = provider
    this.server = server
    this.config = provider.config()
  }

  static async open(): Promise<OidcWorld> {
    const provider = await IdentityProvider.start([`${origin}/oidc/callback`])
    for (const [login, name, roles] of [
      ['ann-1', 'Ann Lee', ['admins', 'staff']],
      ['ann-2', 'Ann Lee', ['starters']],
      ['gus', 'Gus', ['guests']],
      ['eve', 'Eve', ['staff']],
    ] as const) {
      provider.accounts.set(login, { name, roles })
    }
    let world: OidcWorld | undefined
    const clock: Clock = { ...systemClock, now: () => systemClock.now() + (world?.aheadMs ?? 0) }
    const server = await testServer({
      clock,
      oidc: () => {
        const config = world?.config ?? null
        return config === null ? undefined : { config, secret: () => ({ value: clientSecret }) }
      },
    })
    world = new OidcWorld(provider, server)
    return world
  }

  /** A form of one of our pages, sent by a browser with these cookies. */
  form(path: string, fields: Record<string, string>, cookie = ''): Promise<ServerAnswer> {
    const headers = { origin, cookie, 'content-type': 'application/x-www-form-urlencoded' }
    return this.server.ask('POST', path, { headers, body: String(new URLSearchParams(fields)) })
  }

  /** Comes back from the provider, in a browser with these cookies. */
  back(address: URL, cookie: string): Promise<ServerAnswer> {
    const headers = { cookie }
    return this.server.ask('GET', address.pathname + address.search, { headers })
  }

  /** The whole way through a browser; the cookie of the login where it came about. */
  async logIn(login: string, surfer = new Surfer()): Promise<ServerAnswer & { cookie: string }> {
    const begun = await this.form('/oidc/login', {})
    const address = await surfer.logIn(onward(begun), login)
    const answered = await this.back(address, cookieIn(begun))
    return { ...answered, cookie: cookieIn(answered) }
  }

  /** Asks with the cookie of a login, as a page of ours does. */
  as(cookie: string, method: string, path: string, body?: unknown, proof?: string) {
    const proven = proof === undefined ? {} : { 'x-statewright-proof': proof }
    const headers: Record<string, string> = { cookie, origin, ...proven }
    return this.server.ask(method, path, { headers, ...(body === undefined ? {} : { body }) })
  }

  /** Asks for a proof, logs in afresh and comes back; what the page then gets. */
  async stepUp(cookie: string, login: string, surfer = new Surfer()) {
    const { ticket } = (await this.as(cookie, 'POST', '/api/proof/oidc', {})).body
    const begun = await this.form('/oidc/prove', { ticket }, cookie)
    const page = await this.back(await surfer.logIn(onward(begun), login), cookieIn(begun))
    const given = await this.as(cookie, 'POST', '/api/proof/oidc/token', { ticket })
    return { page, given, ticket }
  }

  async close(): Promise<void> {
    await this.server.close()
    await this.provider.close()
  }
}

/** Where a page of ours leads on to. */
export function onward({ text, status }: ServerAnswer): string {
  const address = /content="0;url=([^"]+)"/.exec(text)?.[1]
  if (address === undefined) throw new Error(`the page leads nowhere (${status}): ${text}`)
  return address.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
}

export function cookieIn({ headers }: ServerAnswer): string {
  return headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

/** The code that a page of ours shows where something did not work. */
export function codeIn({ status, text }: ServerAnswer): readonly [number, string | undefined] {
  return [status, /<code>(\w+)<\/code>/.exec(text)?.[1]]
}

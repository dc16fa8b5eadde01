import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Context, Provider } from 'oidc-provider'
import type { OidcConfig } from '../../packages/server/src/config/oidc-schema.ts'

type Json = Record<string, unknown>

export interface Account {
  readonly name: string
  readonly roles: readonly string[]
}

const roles = {
  admins: ['approve', 'release', 'define', 'configure', 'mint', 'start'],
  starters: ['start'],
  guests: [],
} satisfies OidcConfig['roles']

export const clientSecret = 'a secret of the client'

/** A real identity provider on this machine, which can be made to lie. */
export class IdentityProvider {
  readonly #server: Server
  readonly #key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  /** By what is typed as the login, which becomes the subject. */
  readonly accounts = new Map<string, Account>()
  /** Changes what the id token says; it is signed anew. */
  tamper: ((claims: Json) => Json) | undefined
  /** Changes the discovery document. */
  discovery: ((document: Json) => Json) | undefined
  /** Signs what was changed with another key, or not at all. */
  signWith: KeyObject | 'none' | undefined
  /** Hangs up on everybody. */
  isDown = false
  readonly issuer: string
  #callback: ReturnType<Provider['callback']> | undefined

  private constructor(server: Server) {
    this.#server = server
    const { port } = server.address() as AddressInfo // It listens on a port.
    this.issuer = `http://127.0.0.1:${port}`
    server.on('request', (request, response) => {
      if (this.isDown) request.socket.destroy()
      else void this.#callback?.(request, response)
    })
  }

  static async start(redirectUris: readonly string[]): Promise<IdentityProvider> {
    const server = createServer()
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const made = new IdentityProvider(server)
    made.register(redirectUris)
    return made
  }

  /** Forgets every login, and knows the server by these addresses. */
  register(redirectUris: readonly string[]): void {
    const provider = new Provider(this.issuer, {
      clients: ['statewright', 'another'].map((client_id) => ({
        client_id,
        client_secret: clientSecret,
        redirect_uris: redirectUris,
      })),
      jwks: { keys: [{ ...this.#key.export({ format: 'jwk' }), kid: 'one', use: 'sig' }] },
      cookies: { keys: ['not a secret'] },
      claims: { openid: ['sub'], profile: ['name'], roles: ['roles'] },
      pkce: { required: () => true },
      ttl: { Interaction: 600, Grant: 3600, Session: 3600, AccessToken: 600, IdToken: 600 },
      findAccount: (_: unknown, sub: string) => ({
        accountId: sub,
        claims: () => ({ sub, ...this.accounts.get(sub) }),
      }),
      // Nobody is asked whether they agree: the server belongs to the same company.
      loadExistingGrant: async ({ oidc }: Context) => {
        const { clientId } = oidc.client
        const grant = new provider.Grant({ clientId, accountId: oidc.session.accountId })
        grant.addOIDCScope('openid profile roles')
        await grant.save()
        return grant
      },
    })
    provider.use(async (context, next) => {
      await next()
      if (context.path.endsWith('/openid-configuration') && this.discovery !== undefined) {
        context.body = this.discovery(context.body as Json)
      }
      if (context.path === '/token' && this.tamper !== undefined) this.#forge(context)
    })
    this.#callback = provider.callback()
  }

  config(more: Partial<OidcConfig> = {}): OidcConfig {
    return {
      issuer: this.issuer,
      name: 'Example',
      client_id: 'statewright',
      client_secret_env: 'OIDC_SECRET',
      scopes: ['profile', 'roles'],
      roles,
      ...more,
    }
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((done) => this.#server.close(done))
  }

  #forge(context: Context): void {
    const answer = context.body as Json & { readonly id_token?: string }
    if (answer.id_token === undefined || this.tamper === undefined) return
    const isSigned = this.signWith !== 'none'
    const [given = '', body = ''] = answer.id_token.split('.')
    const head = isSigned ? given : Buffer.from('{"alg":"none"}').toString('base64url')
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Json
    const changed = Buffer.from(JSON.stringify(this.tamper(claims))).toString('base64url')
    const key = typeof this.signWith === 'object' ? this.signWith : this.#key
    const signer = createSign('RSA-SHA256').update(`${head}.${changed}`)
    const signature = isSigned ? signer.sign(key).toString('base64url') : ''
    context.body = { ...answer, id_token: `${head}.${changed}.${signature}` }
  }
}

/** A browser without a screen: it follows redirects at the provider and keeps its cookies. */
export class Surfer {
  readonly #cookies = new Map<string, string>()

  /** Logs in at an address of the provider; gives the address of ours to which it leads back. */
  async logIn(address: string, login: string): Promise<URL> {
    const { origin } = new URL(address)
    let next = new URL(address)
    let form: URLSearchParams | undefined
    for (let step = 0; step < 10; step++) {
      const answer = await fetch(next, {
        method: form === undefined ? 'GET' : 'POST',
        headers: { cookie: [...this.#cookies].map((pair) => pair.join('=')).join('; ') },
        redirect: 'manual',
        ...(form === undefined ? {} : { body: form }),
      })
      this.#keep(answer.headers.getSetCookie())
      const location = answer.headers.get('location')
      const page = await answer.text()
      form = undefined
      if (location !== null) next = new URL(location, next)
      else if (page.includes('name="login"')) {
        next = new URL(/action="([^"]+)"/.exec(page)?.[1] ?? '', next)
        form = new URLSearchParams({ prompt: 'login', login, password: 'x' })
      } else throw new Error(`the provider said ${answer.status}: ${page.slice(0, 500)}`)
      if (next.origin !== origin) return next
    }
    throw new Error('the provider leads in circles')
  }

  #keep(cookies: readonly string[]): void {
    for (const cookie of cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      this.#cookies.set(name, value)
    }
  }
}

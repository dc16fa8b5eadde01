import type { CommandLineLogin, Verb } from '@statewright/core/wire'
import { json, type Reply } from '../pipeline/reply.ts'
import type { ServerDependencies } from '../pipeline/route.ts'

const dayMs = 24 * 60 * 60_000
const sessionMs = 7 * dayMs
/** It lies on a disk, so that it may look and little more, and that not for ever. */
const commandLineMs = 30 * dayMs

export interface NewLogin {
  readonly person: string
  readonly createdBy: string
  /** What the roles of somebody from a provider let them do. */
  readonly verbs?: readonly Verb[]
}

/** The cookie of a browser that is now a person's. */
export async function browserLogin(server: ServerDependencies, login: NewLogin): Promise<string> {
  const expiresAt = server.runtime.clock.now() + sessionMs
  const { secret } = await server.auth.tokens.mintSession({ name: 'browser', ...login, expiresAt })
  return loginCookie(server, secret, sessionMs / 1000)
}

export async function commandLineLogin(
  { auth, runtime }: ServerDependencies,
  login: NewLogin & { readonly name: string },
): Promise<Reply> {
  const expiresAt = runtime.clock.now() + commandLineMs
  const { secret, row } = await auth.tokens.mint({ kind: 'person', ...login, expiresAt })
  const made: CommandLineLogin = { token: secret, id: row.tokenId }
  return json(201, made)
}

/** The same without a value ends it. */
export function loginCookie(
  { cookieName, url }: Pick<ServerDependencies, 'cookieName' | 'url'>,
  secret = '',
  maxAgeS = 0,
): string {
  const secure = url.startsWith('https:') ? '; Secure' : ''
  return `${cookieName}=${secret}; Path=/; Max-Age=${maxAgeS}; HttpOnly; SameSite=Strict${secure}`
}

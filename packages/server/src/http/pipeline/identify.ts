import type { HttpHeaders } from '../../base/http-request.ts'
import { looksLikeToken } from '../auth/secrets.ts'
import { type FoundToken, speaksFor } from '../auth/token-cache.ts'
import type { Identity, ServerDependencies } from './route.ts'

/** Who sends a request, by its bearer token or, in a browser, its cookie. */
export async function identify(
  server: Pick<ServerDependencies, 'auth' | 'cookieName' | 'runtime'>,
  headers: HttpHeaders,
): Promise<Identity | undefined> {
  // A token that another node has revoked counts no longer (ND-1).
  await server.runtime.rules.confirm()
  const authorization = headers.get('authorization')
  if (authorization !== null) {
    // A wrong token is not forgiven because a cookie happens to be there as well.
    const secret = /^bearer +(\S+)$/i.exec(authorization)?.[1]
    if (secret === undefined) return undefined
    if (!looksLikeToken(secret)) return undefined
    return identityIfCounts(server, await server.auth.tokens.find(secret), 'bearer')
  }
  const secret = cookieOf(headers.get('cookie'), server.cookieName)
  if (secret === undefined) return undefined
  return identityIfCounts(server, await server.auth.tokens.find(secret, 'cookie'), 'cookie')
}

/** A login counts only under the way of logging in by which it was made (PE-12). */
function identityIfCounts(
  { auth }: Pick<ServerDependencies, 'auth'>,
  token: FoundToken | undefined,
  via: Identity['via'],
): Identity | undefined {
  if (token === undefined) return undefined
  const { kind, person, verbs } = token
  const isService = person === null && verbs !== null
  const isLogin = kind === 'person' && !isService
  return isLogin && !auth.oidc.counts(token) ? undefined : identityOf(token, via)
}

export function identityOf(token: FoundToken, via: Identity['via']): Identity {
  const { kind, role, session, person } = token
  // Histories name people, not their browsers.
  const name = person === null || person === '' ? token.name : person
  const caller = { tokenId: speaksFor(token), kind, role, name }
  return { caller: session === undefined ? caller : { ...caller, session }, token, via }
}

export function cookieOf(header: string | null, name: string): string | undefined {
  if (header === null) return undefined
  for (const part of header.split(';')) {
    const [key, value] = part.trim().split('=', 2)
    if (key === name && value !== undefined && value.length < 200) return value
  }
  return undefined
}

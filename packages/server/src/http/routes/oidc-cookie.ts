import { attemptMs } from '../auth/oidc/attempts.ts'
import { cookieOf } from '../pipeline/identify.ts'
import type { ServerParts } from '../pipeline/route.ts'

type Named = Pick<ServerParts, 'cookieName' | 'url'>

/** Lax, so that it comes along from the provider; one for each attempt, for as long as it lasts. */
export function attemptCookie(parts: Named, state: string, browser: string): string {
  const secure = isSecure(parts) ? '; Secure' : ''
  const rest = `Path=/; Max-Age=${attemptMs / 1000}; HttpOnly; SameSite=Lax${secure}`
  return `${nameOf(parts, state)}=${browser}; ${rest}`
}

/** What the browser that comes back has of the one that began. */
export function attemptIn(parts: Named, state: string, request: Request): string | undefined {
  return cookieOf(request.headers.get('cookie'), nameOf(parts, state))
}

/** With TLS no other host of the domain, and nothing in between, can plant it. */
function nameOf(parts: Named, state: string): string {
  const id = /^[A-Za-z0-9_-]{8}(?=\.)/.exec(state)?.[0] ?? 'none'
  return `${isSecure(parts) ? '__Host-' : ''}${parts.cookieName}_oidc_${id}`
}

function isSecure({ url }: Named): boolean {
  return url.startsWith('https:')
}

import type { HttpRequest } from '../../base/http-request.ts'
import { attemptMs } from '../auth/oidc/attempts.ts'
import { cookieOf } from '../pipeline/identify.ts'
import type { ServerDependencies } from '../pipeline/route.ts'

type CookieServer = Pick<ServerDependencies, 'cookieName' | 'url'>

/** Lax, so that it comes along from the provider; one for each attempt, for as long as it lasts. */
export function attemptCookie(server: CookieServer, state: string, browser: string): string {
  const secure = isSecure(server) ? '; Secure' : ''
  const rest = `Path=/; Max-Age=${attemptMs / 1000}; HttpOnly; SameSite=Lax${secure}`
  return `${nameOf(server, state)}=${browser}; ${rest}`
}

/** What the browser that comes back has of the one that began. */
export function attemptIn(
  server: CookieServer,
  state: string,
  request: HttpRequest,
): string | undefined {
  return cookieOf(request.headers.get('cookie'), nameOf(server, state))
}

/** With TLS no other host of the domain, and nothing in between, can plant it. */
function nameOf(server: CookieServer, state: string): string {
  const id = /^[A-Za-z0-9_-]{8}(?=\.)/.exec(state)?.[0] ?? 'none'
  return `${isSecure(server) ? '__Host-' : ''}${server.cookieName}_oidc_${id}`
}

function isSecure({ url }: CookieServer): boolean {
  return url.startsWith('https:')
}

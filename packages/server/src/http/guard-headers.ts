import type { MiddlewareHandler } from 'hono'

/**
 * Answers only requests that name us as their host. A page of a stranger can point its own name at
 * 127.0.0.1 and would then read our answers as if they were its own.
 */
export function onlyOurHost(hosts: ReadonlySet<string>): MiddlewareHandler {
  return async (context, next) => {
    const host = context.req.header('host')?.toLowerCase()
    if (host !== undefined && hosts.has(host)) return next()
    return context.json(
      { code: 'foreign_host', message: 'This server answers on its own name.' },
      403,
    )
  }
}

/** The names under which a browser on this machine reaches a port. */
export function localHosts(port: number): ReadonlySet<string> {
  return new Set(['127.0.0.1', 'localhost'].map((name) => `${name}:${port}`))
}

// Only files of ours may run or style the page: text from a definition can never become a script.
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export const safeHeaders: MiddlewareHandler = async (context, next) => {
  await next()
  context.header('content-security-policy', contentPolicy)
  context.header('x-content-type-options', 'nosniff')
  context.header('referrer-policy', 'no-referrer')
  context.header('cross-origin-opener-policy', 'same-origin')
  context.header('cross-origin-resource-policy', 'same-origin')
}

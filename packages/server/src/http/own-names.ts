import { problem, type RuntimeProblem } from '../base/problem.ts'

/** The names under which this server answers, and the origins its own pages have. */
export interface OwnNames {
  readonly hosts: ReadonlySet<string>
  readonly origins: ReadonlySet<string>
}

/** The loopback names of a port, and those of the public address where one is configured. */
export function ownNames(port: number, publicUrls: readonly string[] = []): OwnNames {
  const local = ['127.0.0.1', 'localhost'].map((name) => `${name}:${port}`)
  const urls = publicUrls.map((url) => new URL(url))
  return {
    hosts: new Set([...local, ...urls.map((url) => url.host)]),
    origins: new Set([...local.map((host) => `http://${host}`), ...urls.map((url) => url.origin)]),
  }
}

/**
 * Answers only requests that name us as their host. A page of a stranger can point its own name at
 * 127.0.0.1 and would then read our answers as if they were its own. A page that says where it
 * comes from must be one of ours.
 */
export function strangerProblem(
  names: OwnNames,
  host: string | null,
  origin: string | null,
): RuntimeProblem | undefined {
  if (host === null || !(names.hosts.has(host) || names.hosts.has(host.toLowerCase()))) {
    return problem('foreign_host', 'This server only answers under its own host name.')
  }
  if (origin === null || names.origins.has(origin)) return undefined
  return problem('foreign_origin', 'Requests from pages of other sites are refused.')
}

// Only files of ours may run or style the page: text from a definition can never become a script.
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** On every answer, whatever it is. */
const safeHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': contentPolicy,
  'x-content-type-options': 'nosniff',
  // Not `no-referrer`: under it browsers send the forms of our own pages as from nowhere.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

/** What the API says is about now: no cache may keep it. */
export const apiHeaders: Readonly<Record<string, string>> = {
  ...safeHeaders,
  'cache-control': 'no-store',
}

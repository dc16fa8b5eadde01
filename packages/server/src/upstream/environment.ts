import { type Environment, handedOn, secretPattern } from '../sandbox/environment.ts'

/** What a server of others needs besides, also on Windows. */
const forServers = [
  ...['TERM', 'TMPDIR', 'TEMP'],
  ...['SYSTEMROOT', 'APPDATA', 'LOCALAPPDATA', 'USERPROFILE', 'PATHEXT'],
  // Behind a proxy that looks into TLS nothing can be fetched without them.
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
]

/** Given on as well, unless a password stands in it: that is named in the child's own entry. */
const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap((name) => [
  name,
  name.toLowerCase(),
])
const withLogin = /\/\/[^/]*@/

/** The environment of a child: an allow-list and what its own entry sets, never the server's. */
export function childEnvironment(
  ours: Environment,
  given: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const open = proxies.filter((name) => !withLogin.test(ours[name] ?? ''))
  const environment = handedOn(ours, [...forServers, ...open])
  for (const [name, value] of Object.entries(given)) environment[name] = expand(value, ours)
  return environment
}

/**
 * Fills `${NAME}` and `${NAME:-default}` as `.mcp.json` knows them. A name without a value becomes
 * nothing: the text `${KEY}` itself is no secret, and a server would only fail later and darker.
 */
export function expand(text: string, ours: Environment): string {
  return text.replaceAll(
    /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g,
    (_whole, name: string, fallback: string | undefined) => {
      const value = secretPattern.test(name) ? undefined : ours[name]
      return value === undefined || value === '' ? (fallback ?? '') : value
    },
  )
}

type Environment = Readonly<Record<string, string | undefined>>

/** What a child needs to run at all; nothing here is a secret of ours. */
const inherited = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  'TERM',
  'TMPDIR',
  'SYSTEMROOT',
  'APPDATA',
  'LOCALAPPDATA',
  'USERPROFILE',
  'PATHEXT',
  'TEMP',
  // Behind a proxy that looks into TLS nothing can be fetched without them.
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
]

/** Given on as well, unless a password stands in it: that is named in the child's own entry. */
const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY']
const withLogin = /\/\/[^/]*@/

/** Never given on, not even when a configuration names them: they open our own doors. */
const kept = /^(?:STATEWRIGHT_.*|DATABASE_URL)$/

/** The environment of a child: an allow-list and what its own entry sets, never the server's. */
export function childEnvironment(
  ours: Environment,
  given: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const environment: Record<string, string> = {}
  for (const name of inherited) {
    const value = ours[name]
    // A function exported by a shell would be run by the next one.
    if (value !== undefined && !value.startsWith('()')) environment[name] = value
  }
  for (const name of proxies.flatMap((one) => [one, one.toLowerCase()])) {
    const value = ours[name]
    if (value !== undefined && !withLogin.test(value)) environment[name] = value
  }
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
      const value = kept.test(name) ? undefined : ours[name]
      return value === undefined || value === '' ? (fallback ?? '') : value
    },
  )
}

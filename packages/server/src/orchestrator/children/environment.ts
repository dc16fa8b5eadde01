/** The variables around us; tests bring their own. */
export type Variables = Readonly<Record<string, string | undefined>>

/** What a post-tool hook is given besides its own `env_allow` (SE-15). */
export const hookVariables: readonly string[] = ['PATH', 'HOME', 'LANG']

/** Only the variables that are named: a list of what to leave out would forget the next secret. */
export function onlyVariables(
  around: Variables,
  names: readonly string[],
): Readonly<Record<string, string>> {
  const kept: Record<string, string> = {}
  for (const name of names) {
    const value = Object.hasOwn(around, name) ? around[name] : undefined
    if (value !== undefined) kept[name] = value
  }
  return kept
}

const usual: readonly string[] = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'],
  ...['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'IS_SANDBOX'],
]

/**
 * What a coding agent that we start is given: the machine's usual variables and those whose names
 * begin as its own do, which is where its keys and addresses are. Nothing of ours is among them.
 */
export function agentVariables(
  around: Variables,
  prefixes: readonly string[],
): Readonly<Record<string, string>> {
  const own = Object.keys(around).filter((name) => prefixes.some((one) => name.startsWith(one)))
  return onlyVariables(around, [...usual, ...own])
}

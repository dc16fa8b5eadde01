import { type Environment, handedOn, handedOnOnly } from '../../sandbox/environment.ts'

/** The variables around us; tests bring their own. */
export type Variables = Environment

/** What a post-tool hook is given: these and its own `env_allow` (SE-15). */
export function hookVariables(around: Variables, allowed: readonly string[] = []) {
  return handedOnOnly(around, ['PATH', 'HOME', 'LANG', ...allowed])
}

/** What a coding agent needs to reach its model, and to find its settings. */
const forAgents: readonly string[] = [
  ...['TMPDIR', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'],
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
  return handedOn(around, [...forAgents, ...prefixes.map((prefix) => `${prefix}.*`)])
}

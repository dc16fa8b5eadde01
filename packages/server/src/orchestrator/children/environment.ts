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

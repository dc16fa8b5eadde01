/**
 * The part of a definition that a rule's place names, such as `states.planning.allowed_tools`.
 * Names may hold dots themselves, so that the longest name that fits is taken at each step.
 */
export function valueAtPath(definition: unknown, path: string): unknown {
  let rest = path
  let value = definition
  while (rest !== '') {
    if (typeof value !== 'object' || value === null) return undefined
    const name = longestName(value, rest)
    if (name === undefined) return undefined
    value = Object.getOwnPropertyDescriptor(value, name)?.value
    rest = rest.slice(name.length + 1)
  }
  return value
}

function longestName(value: object, rest: string): string | undefined {
  const fits = Object.keys(value).filter((name) => rest === name || rest.startsWith(`${name}.`))
  return fits.sort((one, other) => other.length - one.length)[0]
}

/** The same place as names one after the other; what is not written there stays as it is. */
export function pathNames(definition: unknown, path: string): readonly string[] {
  const names: string[] = []
  let rest = path
  let value = definition
  while (rest !== '' && typeof value === 'object' && value !== null) {
    const name = longestName(value, rest)
    if (name === undefined) break
    names.push(name)
    value = Object.getOwnPropertyDescriptor(value, name)?.value
    rest = rest.slice(name.length + 1)
  }
  return rest === '' ? names : [...names, rest]
}

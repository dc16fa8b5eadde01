/** Throws when our own code is wrong. Nothing catches it but the outermost layer. */
export function invariant(holds: boolean, claim: string): asserts holds {
  if (!holds) throw new Error(`bug: ${claim}`)
}

/** Ends every switch over a union: a new member must not compile until each reader knows it. */
export function unreachable(value: never): never {
  throw new Error(`bug: unexpected ${JSON.stringify(value)}`)
}

/** A thing that a server offers under a name: a tool or a prompt. */
export interface NamedItem {
  readonly name: string
}

export interface Fronted<Thing extends NamedItem> {
  /** What our clients call it. */
  readonly name: string
  readonly server: string
  readonly thing: Thing
}

export interface Offer<Thing extends NamedItem> {
  readonly server: string
  readonly things: readonly Thing[]
}

/**
 * Gives each thing of each server one name that nothing else has. A plain name is kept only where
 * it can mean nothing else: not where two servers have it, where it is one of ours, or where it
 * could be read as the tool of another server.
 */
export function frontedNames<Thing extends NamedItem>(
  offers: readonly Offer<Thing>[],
  mode: 'collision' | 'always',
  isTaken: (name: string) => boolean,
): ReadonlyMap<string, Fronted<Thing>> {
  const counts = new Map<string, number>()
  for (const { things } of offers) {
    for (const name of new Set(things.map((thing) => thing.name))) {
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
  }
  const fronted = new Map<string, Fronted<Thing>>()
  for (const { server, things } of offers) {
    for (const thing of things) {
      const isPlain =
        mode === 'collision' &&
        counts.get(thing.name) === 1 &&
        !thing.name.includes(separator) &&
        !isTaken(thing.name)
      const name = isPlain ? thing.name : `${server}${separator}${thing.name}`
      // A server that lists one name twice is heard once.
      if (!fronted.has(name)) fronted.set(name, { name, server, thing })
    }
  }
  return fronted
}

/** Names of servers may not hold it, so that the first one always ends the server's name. */
const separator = '__'

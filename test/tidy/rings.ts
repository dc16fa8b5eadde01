import { importsOf, type Parsed, resolveImport } from './syntax.ts'

/**
 * Groups of files that import each other in a ring, imports of types included: a ring of types
 * still means that none of the files can be read alone.
 */
export function importRings(files: readonly Parsed[]): string[][] {
  const known = new Set(files.map((file) => file.path))
  const graph = new Map(
    files.map((file) => [
      file.path,
      importsOf(file)
        .map((one) => resolveImport(file.path, one.specifier))
        .filter((target) => target !== undefined)
        .filter((target) => known.has(target)),
    ]),
  )
  return stronglyConnected(graph).filter(
    (group) => group.length > 1 || graph.get(group[0] ?? '')?.includes(group[0] ?? '') === true,
  )
}

/** Tarjan's algorithm. */
function stronglyConnected(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const groups: string[][] = []

  function visit(node: string): number {
    const index = order.size
    order.set(node, index)
    stack.push(node)
    let low = index
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next))
      else if (stack.includes(next)) low = Math.min(low, order.get(next) ?? low)
    }
    lowest.set(node, low)
    if (low === index) groups.push(stack.splice(stack.indexOf(node)).sort())
    return low
  }

  for (const node of graph.keys()) if (!order.has(node)) visit(node)
  return groups
}

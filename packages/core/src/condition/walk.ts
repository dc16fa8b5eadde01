import type { Node } from './cel.ts'
import { macroFunctions } from './language-functions.ts'

export const macros: ReadonlySet<string> = new Set(Object.keys(macroFunctions))

/** The variable that a macro binds, or undefined for everything else. */
export function boundBy(node: Node): string | undefined {
  if (node.op !== 'rcall' || !macros.has(node.args[0])) return undefined
  const [first] = node.args[2]
  return first?.op === 'id' ? first.args : undefined
}

/** The nodes right below one, in the order written, without the name that a macro binds. */
export function below(node: Node): readonly Node[] {
  switch (node.op) {
    case 'value':
    case 'id':
      return []
    case '.':
    case '.?':
      return [node.args[0]]
    case 'call':
      return node.args[1]
    case 'rcall': {
      const [, on, given] = node.args
      return [on, ...(boundBy(node) === undefined ? given : given.slice(1))]
    }
    case 'list':
      return node.args
    case 'map':
      return node.args.flat()
    case '!_':
    case '-_':
      return [node.args]
    default:
      return node.args
  }
}

/** Walks over every node. `bound` holds the names that macros around it gave to their items. */
export function walk(
  node: Node,
  visit: (node: Node, bound: readonly string[]) => void,
  bound: readonly string[] = [],
): void {
  visit(node, bound)
  const name = boundBy(node)
  if (name === undefined || node.op !== 'rcall') {
    for (const inner of below(node)) walk(inner, visit, bound)
    return
  }
  // What the macro goes over is read outside of it.
  walk(node.args[1], visit, bound)
  for (const inner of node.args[2].slice(1)) walk(inner, visit, [...bound, name])
}

/**
 * The names of a path such as `facts.balance` or `args["to"]`, from its root on: as far as they
 * are written out. `isWhole` where nothing of the path is computed.
 */
export interface WrittenPath {
  readonly root: string
  readonly names: readonly string[]
  readonly isWhole: boolean
}

export function pathOf(node: Node): WrittenPath | undefined {
  if (node.op === 'id') return { root: node.args, names: [], isWhole: true }
  if (node.op === '.') return longer(pathOf(node.args[0]), node.args[1])
  if (node.op === '[]') {
    const [on, index] = node.args
    const written = index.op === 'value' && typeof index.args === 'string' ? index.args : undefined
    return longer(pathOf(on), written)
  }
  return undefined
}

function longer(path: WrittenPath | undefined, name: string | undefined): WrittenPath | undefined {
  if (path === undefined) return undefined
  if (name === undefined || !path.isWhole) return { ...path, isWhole: false }
  return { ...path, names: [...path.names, name] }
}

/** Every longest path of an expression, with its node; `has(x.y)` counts as reading it. */
export function pathsIn(node: Node): readonly {
  readonly node: Node
  readonly path: WrittenPath
  readonly bound: readonly string[]
}[] {
  const found: { node: Node; path: WrittenPath; bound: readonly string[] }[] = []
  const inner = new Set<Node>()
  walk(node, (one, bound) => {
    if (one.op !== 'id' && one.op !== '.' && one.op !== '[]') return
    if (one.op !== 'id') inner.add(one.args[0])
    if (inner.has(one)) return
    const path = pathOf(one)
    if (path !== undefined && !bound.includes(path.root)) found.push({ node: one, path, bound })
  })
  return found
}

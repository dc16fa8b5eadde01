import type { Node } from './cel.ts'
import { below, boundBy, pathOf } from './walk.ts'

/** Which way an answer opens: a `require` by being true, a `deny` by being false. */
export type Opens = 'by_true' | 'by_false'

/**
 * The first place where a fact that nobody taught, or that was forgotten, could open what the
 * condition is there to close (FC-6): what must stay closed after something happened is a mark.
 */
export function openedByMissing(ast: Node, opens: Opens): Node | undefined {
  return find(ast, opens === 'by_true')
}

/** `wanted` is the answer of this node that opens; undefined where either may. */
function find(node: Node, wanted: boolean | undefined): Node | undefined {
  switch (node.op) {
    case '!_':
      return find(node.args, wanted === undefined ? undefined : !wanted)
    case '&&':
    case '||':
      return first(node.args, (one) => find(one, wanted))
    case '?:': {
      const [test, yes, no] = node.args
      return find(test, undefined) ?? find(yes, wanted) ?? find(no, wanted)
    }
    case 'in':
      // Missing makes `in` false, or unknown; only false opens.
      return wanted !== true && mayBeEmpty(node.args[1]) ? node : undefined
    case 'call':
      if (node.args[0] === 'has') return wanted !== true && readsFacts(node) ? node : undefined
      return node.args[0] === 'size' && node.args[1].some(mayBeEmpty) ? node : undefined
    case 'rcall':
      return overFacts(node, wanted)
    case '==':
    case '!=':
      return asksForNothing(node.args) ? node : first(node.args, (one) => find(one, undefined))
    default:
      return first(below(node), (one) => find(one, undefined))
  }
}

/** Going over a fact: `all` holds of nothing, `exists` does not. */
function overFacts(node: Extract<Node, { op: 'rcall' }>, wanted: boolean | undefined) {
  const [name, on, given] = node.args
  if (boundBy(node) === undefined) {
    if (name === 'size' && mayBeEmpty(on)) return node
    return first([on, ...given], (one) => find(one, undefined))
  }
  const goesOver = isFacts(on) && mayBeEmpty(on)
  if (goesOver && name === 'all' && wanted !== false) return node
  if (goesOver && name === 'exists' && wanted !== true) return node
  if (goesOver && name !== 'all' && name !== 'exists') return node
  const [, ...bodies] = given
  const inner = name === 'all' || name === 'exists' ? wanted : undefined
  return first(bodies, (one) => find(one, inner))
}

/** Comparing a fact with an empty list or map asks whether it is missing. */
function asksForNothing([left, right]: readonly [Node, Node]): boolean {
  return (isNothing(left) && mayBeEmpty(right)) || (isNothing(right) && mayBeEmpty(left))
}

function isNothing(node: Node): boolean {
  return (node.op === 'list' || node.op === 'map') && node.args.length === 0
}

/**
 * Whether a part of what facts hold may be missing from it. What was kept for one key is there as a
 * whole or has no value, as the list in `facts.orders[args.id].items`.
 */
function mayBeEmpty(node: Node): boolean {
  if (isFacts(node)) return depthOf(node) < 2
  return below(node).some(mayBeEmpty)
}

function depthOf(node: Node): number {
  if (node.op !== '.' && node.op !== '[]') return 0
  return 1 + depthOf(node.args[0])
}

function isFacts(node: Node): boolean {
  return pathOf(node)?.root === 'facts'
}

function readsFacts(node: Node): boolean {
  return isFacts(node) || below(node).some(readsFacts)
}

function first<Item, Found>(
  items: readonly Item[],
  look: (item: Item) => Found | undefined,
): Found | undefined {
  for (const item of items) {
    const found = look(item)
    if (found !== undefined) return found
  }
  return undefined
}

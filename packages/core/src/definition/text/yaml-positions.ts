import { isAlias, isMap, isScalar, isSeq, type Node } from 'yaml'
import type { Path } from '../finding.ts'
import type { Part } from './source.ts'
import { itemsOf, membersOf, offsetOf } from './yaml-nodes.ts'
import type { AliasTargets } from './yaml-value.ts'

/** Finds the offset of a path, or of its nearest parent that was written. */
export function yamlPositions(
  contents: Node | null,
  aliases: AliasTargets,
): (path: Path, part: Part) => number | undefined {
  return (path, part) => {
    if (contents === null) return undefined
    let node: Node = contents
    let key: Node | undefined
    for (const segment of path) {
      const member = memberOf(follow(node, aliases), segment)
      // What is missing stands where its parent does.
      if (member === undefined) return offsetOf(key ?? node)
      key = member.key
      if (member.value === undefined) return offsetOf(key ?? node)
      node = member.value
    }
    const wantsKey = part === 'key' || isMap(node)
    return offsetOf(wantsKey && key !== undefined ? key : node)
  }
}

function follow(node: Node, aliases: AliasTargets): Node {
  return isAlias(node) ? (aliases.get(node) ?? node) : node
}

function memberOf(
  node: Node,
  segment: string | number,
): { readonly key?: Node; readonly value?: Node } | undefined {
  if (isSeq(node)) {
    const item = typeof segment === 'number' ? itemsOf(node)[segment] : undefined
    return item === undefined ? undefined : { value: item }
  }
  if (!isMap(node)) return undefined
  const pair = membersOf(node).find(({ key }) => isScalar(key) && key.value === segment)
  if (pair === undefined) return undefined
  return pair.value === null ? { key: pair.key } : { key: pair.key, value: pair.value }
}

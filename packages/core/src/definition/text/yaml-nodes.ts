import type { Node, YAMLMap, YAMLSeq } from 'yaml'

/** A member of a map: an empty value is null. */
export interface YamlMember {
  readonly key: Node
  readonly value: Node | null
}

/** The items of a parsed list. The library types them as unknown, since programs may put others. */
export function itemsOf(list: YAMLSeq): Node[] {
  return list.items as Node[] // A list that was composed from a text holds nodes only.
}

/** The members of a parsed map, in the order written. */
export function membersOf(map: YAMLMap): YamlMember[] {
  return map.items as YamlMember[] // A map that was composed from a text holds nodes only.
}

export function offsetOf(node: Node): number {
  return node.range?.[0] ?? 0
}

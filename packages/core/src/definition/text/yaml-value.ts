import { type Alias, isAlias, isMap, isScalar, isSeq, type Node, type YAMLMap } from 'yaml'
import { limits } from '../../base/limits.ts'
import { type Finding, type FindingCode, finding, type Path } from '../finding.ts'
import { protoFinding } from './read-json.ts'
import { scalarFault } from './source.ts'
import { itemsOf, membersOf, offsetOf } from './yaml-nodes.ts'

type PlacedFinding = Finding & { readonly offset: number }

/** What each alias stands for. */
export type AliasTargets = ReadonlyMap<Alias, Node>

interface Reading {
  readonly findings: PlacedFinding[]
  readonly anchors: Map<string, Node>
  readonly aliases: Map<Alias, Node>
  /** Nodes being read right now: an alias to one of them would never end. */
  readonly open: Set<Node>
  followed: number
  values: number
  isOver: boolean
}

/** Turns YAML nodes into plain values, refusing what has no meaning in JSON. */
export function yamlValue(contents: Node | null): {
  readonly value: unknown
  readonly findings: readonly PlacedFinding[]
  readonly aliases: AliasTargets
} {
  const reading: Reading = {
    findings: [],
    anchors: new Map(),
    aliases: new Map(),
    open: new Set(),
    followed: 0,
    values: 0,
    isOver: false,
  }
  const value = contents === null ? null : read(contents, [], reading)
  return {
    value: reading.isOver ? undefined : value,
    findings: reading.findings,
    aliases: reading.aliases,
  }
}

function read(node: Node, path: Path, reading: Reading): unknown {
  if (reading.isOver) return undefined
  if (++reading.values > limits.definitionValues) {
    return stop(reading, 'too_large', node, path, 'The definition expands to too many values.')
  }
  if (path.length > limits.definitionDepth) {
    const message = `Values are nested more than ${limits.definitionDepth} deep.`
    return stop(reading, 'too_deep', node, path, message)
  }
  if (isAlias(node)) return readAlias(node, path, reading)
  if (node.tag !== undefined) {
    const tag = node.tag.replace('tag:yaml.org,2002:', '!!')
    const plain = `Tags such as "${tag}" are not supported. Write the value plainly or in quotes.`
    note(reading, 'unsupported_yaml', node, path, plain)
  }
  if ('anchor' in node && typeof node.anchor === 'string') reading.anchors.set(node.anchor, node)
  if (isScalar(node)) {
    const wrong = scalarFault(node.value)
    if (wrong !== undefined) note(reading, 'wrong_value', node, path, wrong)
    return node.value
  }
  reading.open.add(node)
  let value: unknown
  if (isMap(node)) value = readMap(node, path, reading)
  else if (isSeq(node)) {
    value = itemsOf(node).map((item, index) => read(item, [...path, index], reading))
  }
  reading.open.delete(node)
  return value
}

function readMap(map: YAMLMap, path: Path, reading: Reading): Record<string, unknown> {
  const plain: Record<string, unknown> = {}
  for (const { key, value } of membersOf(map)) {
    if (!isScalar(key) || typeof key.value !== 'string' || key.tag !== undefined) {
      const quotes = 'Names must be text. Put this one in quotes if it is meant as a name.'
      note(reading, 'unsupported_yaml', key, path, quotes)
      continue
    }
    const name = key.value
    const memberPath = [...path, name]
    if (name === '<<' && key.type === 'PLAIN') {
      const merge = 'Merge keys ("<<") are not supported. Write the fields out.'
      note(reading, 'unsupported_yaml', key, memberPath, merge)
      continue
    }
    if (key.anchor !== undefined) reading.anchors.set(key.anchor, key)
    if (name === '__proto__') {
      reading.findings.push({ ...protoFinding(memberPath), offset: offsetOf(key) })
      continue
    }
    if (Object.hasOwn(plain, name)) {
      const twice = `"${name}" appears twice in one object; only one of them would take effect.`
      note(reading, 'duplicate_key', key, memberPath, twice)
    }
    plain[name] = value === null ? null : read(value, memberPath, reading)
  }
  return plain
}

function readAlias(alias: Alias, path: Path, reading: Reading): unknown {
  const target = reading.anchors.get(alias.source)
  if (target === undefined) {
    const unknown = `There is no anchor "&${alias.source}" before this alias.`
    return stop(reading, 'syntax', alias, path, unknown)
  }
  if (reading.open.has(target)) {
    const cycle = `"*${alias.source}" refers to a value that contains it, which would never end.`
    return stop(reading, 'alias_cycle', alias, path, cycle)
  }
  if (++reading.followed > limits.yamlAliases) {
    const message = `Aliases are followed more than ${limits.yamlAliases} times.`
    return stop(reading, 'too_many_aliases', alias, path, message)
  }
  reading.aliases.set(alias, target)
  return read(target, path, reading)
}

function note(reading: Reading, code: FindingCode, node: Node, path: Path, message: string): void {
  reading.findings.push({ ...finding(code, path, message), offset: offsetOf(node) })
}

function stop(reading: Reading, code: FindingCode, node: Node, path: Path, message: string) {
  reading.isOver = true
  note(reading, code, node, path, message)
  return undefined
}

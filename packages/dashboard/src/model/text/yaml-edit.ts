import {
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import { renderPair, renderValue } from './yaml-render.ts'
import { columnOf, endOf, lineEnd, lineStart, startOf } from './yaml-spans.ts'

/** What a text says, in JSON or YAML; undefined when it cannot be read. */
export function parseText(text: string): { readonly value: unknown } | undefined {
  const document = parseDocument(text, { version: '1.2', logLevel: 'silent' })
  if (document.errors.length > 0) return undefined
  try {
    return { value: document.toJS({ maxAliasCount: 1000 }) }
  } catch {
    return undefined
  }
}

/** What can be made out of a text that is still being written. */
export function valueSoFar(text: string): unknown {
  try {
    return parseDocument(text, { version: '1.2', logLevel: 'silent' }).toJS()
  } catch {
    return undefined
  }
}

interface Site {
  readonly text: string
  readonly step: number
}

/** Sets a field by changing only the characters that have to change; null when it cannot. */
export function setYamlField(text: string, path: readonly string[], value: unknown): string | null {
  const { contents } = parseDocument(text, { version: '1.2', logLevel: 'silent' })
  if (!isMap(contents)) return null
  const site = { text, step: stepOf(contents, text) }
  let map: YAMLMap = contents
  for (const [depth, name] of path.entries()) {
    const rest = path.slice(depth + 1)
    const pair = pairOf(map, name)
    if (pair === undefined) {
      return value === undefined ? text : addPair(site, map, name, nested(rest, value))
    }
    if (rest.length > 0 && isMap(pair.value) && pair.value.items.length > 0) {
      map = pair.value
      continue
    }
    if (rest.length > 0 && value === undefined) return text
    if (value === undefined) return removePair(site, map, pair)
    return replaceValue(site, map, pair, nested(rest, value))
  }
  return null
}

/** The way that always works: comments stay, but spacing may change elsewhere. */
export function setByDocument(
  text: string,
  path: readonly string[],
  value: unknown,
): string | null {
  const document = parseDocument(text, { version: '1.2', logLevel: 'silent' })
  try {
    if (value === undefined) document.deleteIn(path)
    else document.setIn(path, document.createNode(value))
    return document.toString({ lineWidth: 0 })
  } catch {
    // It throws where the path leads through something that has no members.
    return null
  }
}

function addPair({ text, step }: Site, map: YAMLMap, name: string, value: unknown): string {
  if (map.flow === true || map.items.length === 0) {
    const pieces = [...map.items.map((pair) => sourceOf(text, pair)), renderFlowPair(name, value)]
    return splice(text, startOf(map), endOf(map), `{ ${pieces.join(', ')} }`)
  }
  const column = columnOf(text, startOf(map))
  const lines = indented(renderPair(name, value, step), column)
  const end = endOf(map)
  const at = text[end - 1] === '\n' ? end : lineEnd(text, end)
  const isOnNewLine = at === 0 || text[at - 1] === '\n'
  return splice(text, at, at, isOnNewLine ? `${lines}\n` : `\n${lines}`)
}

function removePair({ text }: Site, map: YAMLMap, pair: Pair): string {
  const rest = map.items.filter((one) => one !== pair)
  if (map.flow === true || rest.length === 0) {
    const pieces = rest.map((one) => sourceOf(text, one))
    return splice(
      text,
      startOf(map),
      endOf(map),
      pieces.length === 0 ? '{}' : `{ ${pieces.join(', ')} }`,
    )
  }
  const end = endOfPair(pair)
  const to = text[end - 1] === '\n' ? end : Math.min(text.length, lineEnd(text, end) + 1)
  return splice(text, lineStart(text, startOfPair(pair)), to, '')
}

function replaceValue({ text, step }: Site, map: YAMLMap, pair: Pair, value: unknown): string {
  const old = isNode(pair.value) ? pair.value : null
  if (old !== null && isSeq(old) && Array.isArray(value)) {
    const edited = replaceItems(text, old, value)
    if (edited !== null) return edited
  }
  const name = isScalar(pair.key) ? String(pair.key.value) : ''
  if (map.flow === true) {
    return splice(text, startOfPair(pair), endOfPair(pair), renderFlowPair(name, value))
  }
  const flat = renderValue(value)
  const isFlatBefore = old !== null && !text.slice(startOf(old), endOf(old)).includes('\n')
  if (flat !== null && isFlatBefore) return splice(text, startOf(old), endOf(old), flat)
  const column = columnOf(text, startOfPair(pair))
  const lines = indented(renderPair(name, value, step), column).trimStart()
  const end = endOfPair(pair)
  return splice(text, startOfPair(pair), end, text[end - 1] === '\n' ? `${lines}\n` : lines)
}

/** Takes items out and puts others behind; what stays keeps its words and comments. */
function replaceItems(text: string, list: YAMLSeq, wanted: readonly unknown[]): string | null {
  const items = list.items.filter((item): item is Node => isNode(item))
  const had = items.map((item) => (isScalar(item) ? item.value : undefined))
  const kept = items.filter((_, index) => wanted.includes(had[index]))
  const keptValues = kept.map((item) => (isScalar(item) ? item.value : undefined))
  if (keptValues.some((value, index) => value === undefined || value !== wanted[index])) return null
  const added = wanted.slice(kept.length).map((value) => renderValue(value))
  if (added.some((item) => item === null)) return null
  if (list.flow === true || items.length === 0 || kept.length === 0) {
    const pieces = [...kept.map((item) => text.slice(startOf(item), endOf(item))), ...added]
    return splice(text, startOf(list), endOf(list), `[${pieces.join(', ')}]`)
  }
  let edited = text
  const last = kept.at(-1)
  const dash = ' '.repeat(columnOf(text, startOf(list)))
  const at = last === undefined ? 0 : lineEnd(text, endOf(last))
  edited = splice(edited, at, at, added.map((item) => `\n${dash}- ${item}`).join(''))
  for (const item of items.filter((one) => !kept.includes(one)).reverse()) {
    // Additions stand behind the last kept item, so that offsets before it still hold.
    const shift = startOf(item) > at ? edited.length - text.length : 0
    const from = lineStart(edited, startOf(item) + shift)
    const to = Math.min(edited.length, lineEnd(edited, endOf(item) + shift) + 1)
    edited = splice(edited, from, to, '')
    if (shift !== 0) return null
  }
  return edited
}

function pairOf(map: YAMLMap, name: string): Pair | undefined {
  return map.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === name)
}

function startOfPair(pair: Pair): number {
  return isNode(pair.key) ? startOf(pair.key) : 0
}

function endOfPair(pair: Pair): number {
  if (isNode(pair.value) && endOf(pair.value) > startOf(pair.value)) return endOf(pair.value)
  // A value that is not written leaves the colon behind the name.
  return isNode(pair.key) ? endOf(pair.key) + 1 : 0
}

function sourceOf(text: string, pair: Pair): string {
  return text.slice(startOfPair(pair), endOfPair(pair))
}

function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, name) => Object.fromEntries([[name, inner]]), value)
}

function renderFlowPair(name: string, value: unknown): string {
  return `${renderValue(name) ?? name}: ${renderValue(value) ?? JSON.stringify(value)}`
}

function indented(lines: string, column: number): string {
  const space = ' '.repeat(column)
  return lines
    .split('\n')
    .map((line) => (line === '' ? '' : space + line))
    .join('\n')
}

function splice(text: string, from: number, to: number, inner: string): string {
  return text.slice(0, from) + inner + text.slice(to)
}

/** How far members stand in, as this text does it. */
function stepOf(root: YAMLMap, text: string): number {
  for (const { value } of root.items) {
    if (isMap(value) && value.flow !== true && value.items.length > 0) {
      const step = columnOf(text, startOf(value)) - columnOf(text, startOf(root))
      if (step > 0) return step
    }
  }
  return 2
}

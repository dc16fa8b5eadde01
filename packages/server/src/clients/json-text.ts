import { isJsonObject, type Json } from '@statewright/core'

/**
 * Changes JSON as text. A settings file belongs to a person: what is added goes in beside what is
 * there, and what is taken away again leaves every other byte as it was.
 */

/** A place in a text that holds valid JSON. */
interface Node {
  readonly start: number
  readonly end: number
  /** Members of an object or items of an array, in order; empty for anything else. */
  readonly parts: readonly Part[]
}

interface Part {
  /** Where the part begins: its key in an object, its value in an array. */
  readonly start: number
  readonly key: string | number
  readonly value: Node
}

export type JsonPath = readonly (string | number)[]

/** Adds a member to the object at a path, or an item to the array there, as its last one. */
export function addPart(text: string, path: JsonPath, key: string | null, value: Json): string {
  const node = nodeAt(text, path)
  if (node === undefined) throw new Error(`bug: nothing at ${path.join('.')}`)
  const layout = layoutOf(text, path.length, node)
  const label = key === null ? '' : `${JSON.stringify(key)}:${layout.afterColon}`
  const written = label + valueText(value, layout)
  const last = node.parts[node.parts.length - 1]
  if (last !== undefined) {
    return splice(text, last.value.end, last.value.end, `,${layout.before}${written}`)
  }
  const inner = `${layout.before}${written}${layout.after}`
  return splice(text, node.start + 1, node.end - 1, inner)
}

/**
 * Takes a part away. `emptyInside` is what stood between the brackets before the first part was
 * added, so that an object that was empty is empty in the same way again.
 */
export function removePart(text: string, path: JsonPath, emptyInside = ''): string {
  const key = path[path.length - 1]
  const node = nodeAt(text, path.slice(0, -1))
  const index = node?.parts.findIndex((part) => part.key === key) ?? -1
  const part = node?.parts[index]
  if (node === undefined || part === undefined) return text
  const before = node.parts[index - 1]
  const after = node.parts[index + 1]
  if (after !== undefined) return splice(text, part.start, after.start, '')
  if (before !== undefined) return splice(text, before.value.end, part.value.end, '')
  return splice(text, node.start + 1, node.end - 1, emptyInside)
}

/** What stands between the brackets at a path; undefined when that is more than white space. */
export function insideIfEmpty(text: string, path: JsonPath): string | undefined {
  const node = nodeAt(text, path)
  if (node === undefined || node.parts.length > 0) return undefined
  return text.slice(node.start + 1, node.end - 1)
}

/** The value at a path of a parsed document. */
export function valueAt(document: unknown, path: JsonPath): unknown {
  let value: unknown = document
  for (const key of path) {
    if (Array.isArray(value) && typeof key === 'number') value = value[key]
    else if (isJsonObject(value) && Object.hasOwn(value, key)) value = value[key]
    else return undefined
  }
  return value
}

function nodeAt(text: string, path: JsonPath): Node | undefined {
  let node: Node | undefined = readNode(text, skipSpace(text, 0))
  for (const key of path) node = node?.parts.find((part) => part.key === key)?.value
  return node
}

interface Layout {
  /** White space before a new part, and after the last one. */
  readonly before: string
  readonly after: string
  readonly afterColon: string
  /** One step of indent; empty in a text without lines. */
  readonly unit: string
  readonly lineEnd: string
}

/** The person's own way of writing: a new part looks like its neighbours. */
function layoutOf(text: string, depth: number, node: Node): Layout {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n'
  const root = readNode(text, skipSpace(text, 0))
  const first = root.parts[0]
  const lead = first === undefined ? `${lineEnd}  ` : text.slice(root.start + 1, first.start)
  if (!lead.includes('\n')) {
    const afterColon = /":(\s*)/.exec(text)?.[1] ?? ''
    const [own] = node.parts
    const before = own === undefined ? '' : separatorOf(text, node)
    return { before, after: '', afterColon, unit: '', lineEnd }
  }
  const unit = lead.slice(lead.lastIndexOf('\n') + 1) || '  '
  const indent = (steps: number) => `${lineEnd}${unit.repeat(steps)}`
  return { before: indent(depth + 1), after: indent(depth), afterColon: ' ', unit, lineEnd }
}

function separatorOf(text: string, node: Node): string {
  const [first, second] = node.parts
  if (first === undefined || second === undefined) return ''
  return text.slice(text.indexOf(',', first.value.end) + 1, second.start)
}

function valueText(value: Json, { unit, before, lineEnd }: Layout): string {
  if (unit === '') return JSON.stringify(value)
  const indent = before.slice(before.lastIndexOf('\n') + 1)
  return JSON.stringify(value, null, unit).replaceAll('\n', `${lineEnd}${indent}`)
}

function splice(text: string, start: number, end: number, inserted: string): string {
  return text.slice(0, start) + inserted + text.slice(end)
}

/** Reads where things lie. The text was parsed before, so that it is known to be JSON. */
function readNode(text: string, start: number): Node {
  const open = text[start]
  if (open === '{' || open === '[') return readParts(text, start, open === '{')
  const end = open === '"' ? stringEnd(text, start) : scalarEnd(text, start)
  return { start, end, parts: [] }
}

function readParts(text: string, start: number, isObject: boolean): Node {
  const parts: Part[] = []
  let at = skipSpace(text, start + 1)
  while (text[at] !== '}' && text[at] !== ']') {
    const partStart = at
    let key: string | number = parts.length
    if (isObject) {
      const keyEnd = stringEnd(text, at)
      key = JSON.parse(text.slice(at, keyEnd)) as string // A key of valid JSON is a string.
      at = skipSpace(text, skipSpace(text, keyEnd) + 1)
    }
    const value = readNode(text, at)
    parts.push({ start: partStart, key, value })
    at = skipSpace(text, value.end)
    if (text[at] === ',') at = skipSpace(text, at + 1)
  }
  return { start, end: at + 1, parts }
}

function skipSpace(text: string, start: number): number {
  let at = start
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at += 1
  return at
}

function stringEnd(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

function scalarEnd(text: string, start: number): number {
  let at = start
  while (at < text.length && !',]} \t\r\n'.includes(text.charAt(at))) at += 1
  return at
}

/** Whether some object has a key twice: then readers disagree on what the text says. */
export function hasTwins(text: string): boolean {
  return twinsIn(readNode(text, skipSpace(text, 0)))
}

function twinsIn({ parts }: Node): boolean {
  const keys = new Set(parts.map((part) => part.key))
  return keys.size < parts.length || parts.some((part) => twinsIn(part.value))
}

import { isJsonObject, type Json } from '@statewright/core/internal'
import { type Node, parseTree } from 'jsonc-parser'

/**
 * Changes JSON as text. A settings file belongs to a person: what is added goes in beside what is
 * there, and what is taken away again leaves every other byte as it was.
 */

/** A member of an object or an item of a list, with its place in the text. */
interface Member {
  /** Where the member begins: its key in an object, its value in an array. */
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
  const last = membersOf(node).at(-1)
  if (last !== undefined) {
    const end = endOf(last.value)
    return splice(text, end, end, `,${layout.before}${written}`)
  }
  const inner = `${layout.before}${written}${layout.after}`
  return splice(text, node.offset + 1, endOf(node) - 1, inner)
}

/**
 * Takes a member away. `emptyInside` is what stood between the brackets before the first member was
 * added, so that an object that was empty is empty in the same way again.
 */
export function removePart(text: string, path: JsonPath, emptyInside = ''): string {
  const key = path[path.length - 1]
  const node = nodeAt(text, path.slice(0, -1))
  if (node === undefined) return text
  const members = membersOf(node)
  const index = members.findIndex((member) => member.key === key)
  const [before, member, after] = [members[index - 1], members[index], members[index + 1]]
  if (member === undefined) return text
  if (after !== undefined) return splice(text, member.start, after.start, '')
  if (before !== undefined) return splice(text, endOf(before.value), endOf(member.value), '')
  return splice(text, node.offset + 1, endOf(node) - 1, emptyInside)
}

/** What stands between the brackets at a path; undefined when that is more than white space. */
export function insideIfEmpty(text: string, path: JsonPath): string | undefined {
  const node = nodeAt(text, path)
  if (node === undefined || membersOf(node).length > 0) return undefined
  return text.slice(node.offset + 1, endOf(node) - 1)
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
  let node: Node | undefined = rootOf(text)
  for (const key of path) {
    node = node && membersOf(node).find((member) => member.key === key)?.value
  }
  return node
}

interface Layout {
  /** White space before a new member, and after the last one. */
  readonly before: string
  readonly after: string
  readonly afterColon: string
  /** One step of indent; empty in a text without lines. */
  readonly unit: string
  readonly lineEnd: string
}

/** The person's own way of writing: a new member looks like its neighbours. */
function layoutOf(text: string, depth: number, node: Node): Layout {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n'
  const root = rootOf(text)
  const [first] = membersOf(root)
  const lead = first === undefined ? `${lineEnd}  ` : text.slice(root.offset + 1, first.start)
  if (!lead.includes('\n')) {
    const afterColon = /":(\s*)/.exec(text)?.[1] ?? ''
    return { before: separatorOf(text, node), after: '', afterColon, unit: '', lineEnd }
  }
  const unit = lead.slice(lead.lastIndexOf('\n') + 1) || '  '
  const indent = (steps: number) => `${lineEnd}${unit.repeat(steps)}`
  return { before: indent(depth + 1), after: indent(depth), afterColon: ' ', unit, lineEnd }
}

function separatorOf(text: string, node: Node): string {
  const [first, second] = membersOf(node)
  if (first === undefined || second === undefined) return ''
  return text.slice(text.indexOf(',', endOf(first.value)) + 1, second.start)
}

function valueText(value: Json, { unit, before, lineEnd }: Layout): string {
  if (unit === '') return JSON.stringify(value)
  const indent = before.slice(before.lastIndexOf('\n') + 1)
  return JSON.stringify(value, null, unit).replaceAll('\n', `${lineEnd}${indent}`)
}

function splice(text: string, start: number, end: number, inserted: string): string {
  return text.slice(0, start) + inserted + text.slice(end)
}

/** The text was parsed before, so that it is known to be JSON. */
function rootOf(text: string): Node {
  const root = parseTree(text)
  if (root === undefined) throw new Error('bug: the text is no JSON')
  return root
}

/** In their order; empty for anything but an object or a list. */
function membersOf({ type, children = [] }: Node): Member[] {
  if (type === 'array') return children.map((value, key) => ({ start: value.offset, key, value }))
  return children.flatMap(({ offset, children: [key, value] = [] }) =>
    key === undefined || value === undefined
      ? []
      : [{ start: offset, key: String(key.value), value }],
  )
}

function endOf({ offset, length }: Node): number {
  return offset + length
}

/** Whether some object has a key twice: then readers disagree on what the text says. */
export function hasTwins(text: string): boolean {
  return twinsIn(rootOf(text))
}

function twinsIn(node: Node): boolean {
  const members = membersOf(node)
  const keys = new Set(members.map((member) => member.key))
  return keys.size < members.length || members.some((member) => twinsIn(member.value))
}

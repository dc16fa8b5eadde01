import { isMap, isNode, isScalar, isSeq, type Node, parseDocument, type Scalar } from 'yaml'
import { columnOf, startOf } from './yaml-spans.ts'

/** A place inside a text value: whose value it is, and what of it stands before the place. */
export interface TextCursor {
  readonly path: readonly (string | number)[]
  readonly before: string
}

/**
 * The value that somebody writes at an offset, in YAML or JSON. Only what stands before it is read:
 * a quote that is still open would take in everything behind it.
 */
export function textCursor(text: string, offset: number): TextCursor | null {
  const head = text.slice(0, offset)
  const { contents } = parseDocument(head, { version: '1.2', logLevel: 'silent' })
  const last = isNode(contents) ? lastField(contents) : null
  if (last === null) return null
  const { path, name, value } = last
  const between = head.slice(startOf(name))
  const line = head.slice(head.lastIndexOf('\n') + 1)
  const isBelow = between.includes('\n')
  const indent = /^ */.exec(line)?.[0].length ?? 0
  if (isBelow && indent <= columnOf(head, startOf(name))) return null
  if (isBelow && /^\s*#/.test(line)) return null
  const before = value === null ? emptyBefore(between) : written(head, value)
  return before === null ? null : { path, before }
}

/** Nothing is written yet: behind the colon there is space alone. */
function emptyBefore(between: string): string | null {
  return /:\s+$/.test(between) ? '' : null
}

function written(head: string, value: Scalar): string | null {
  const source = head.slice(startOf(value))
  switch (value.type) {
    case 'QUOTE_DOUBLE':
      return /^"(?:[^"\\]|\\.)*"/s.test(source) ? null : source.slice(1).replace(/\\(.)/gs, '$1')
    case 'QUOTE_SINGLE':
      // Two of them stand for one.
      return /^'(?:[^']|'')*'(?!')/.test(source) ? null : source.slice(1).replaceAll("''", "'")
    case 'BLOCK_FOLDED':
    case 'BLOCK_LITERAL': {
      const end = source.indexOf('\n')
      return end === -1 ? null : source.slice(end + 1)
    }
    default:
      return /\s#/.test(source) ? null : source
  }
}

interface Field {
  readonly path: readonly (string | number)[]
  readonly name: Node
  readonly value: Scalar | null
}

/** The field that is written last, with its value if that is a text. */
function lastField(root: Node): Field | null {
  const path: (string | number)[] = []
  let node: Node = root
  let name: Node | null = null
  while (isMap(node) || isSeq(node)) {
    const last: unknown = node.items.at(-1)
    if (isSeq(node)) {
      path.push(node.items.length - 1)
      if (!isNode(last)) return null
      node = last
      continue
    }
    const pair = node.items.at(-1)
    if (pair === undefined || !isScalar(pair.key)) return null
    path.push(String(pair.key.value))
    name = pair.key
    if (!isNode(pair.value)) return { path, name, value: null }
    node = pair.value
  }
  if (name === null || !isScalar(node)) return null
  const isEmpty = node.source === '' && (node.type === 'PLAIN' || node.type === undefined)
  return { path, name, value: isEmpty ? null : node }
}

import { isMap, isNode, isScalar, isSeq, type Node, parseDocument, type Scalar } from 'yaml'
import { type ValuePath, valueAt } from './state-references.ts'
import { parseText } from './yaml-edit.ts'
import { renderValue } from './yaml-render.ts'
import { endOf, startOf } from './yaml-spans.ts'

interface Splice {
  readonly from: number
  readonly to: number
  readonly insert: string
}

/** JSON is YAML as well: one reader finds the positions in both. */
function documentOf(text: string): Node | null {
  return parseDocument(text, { version: '1.2', logLevel: 'silent' }).contents
}

/** Splices that give a member of a map another name, and the same words to some values. */
export function renameAll(
  text: string,
  key: ValuePath,
  values: readonly ValuePath[],
  to: string,
): string | null {
  const root = documentOf(text)
  return spliced(text, [
    keySplice(root, key, text, to),
    ...values.map((path) => valueSplice(root, path, text, to)),
  ])
}

/** Gives a member of a map another name, such as an event; null where the name is taken. */
export function renameKey(text: string, path: readonly string[], to: string): string | null {
  const read = parseText(text)
  const parent = path.slice(0, -1)
  if (read === undefined || valueAt(read.value, [...parent, to]) !== undefined) return null
  const edited = spliced(text, [keySplice(documentOf(text), path, text, to)])
  if (edited === null) return null
  const after = parseText(edited)
  return valueAt(after?.value, [...parent, to]) === undefined ? null : edited
}

/** Writes other words for some values, each where it stands and in the quotes that it has. */
export function setScalars(text: string, paths: readonly ValuePath[], to: string): string | null {
  const root = documentOf(text)
  const edited = spliced(
    text,
    paths.map((path) => valueSplice(root, path, text, to)),
  )
  if (edited === null || paths.length === 0) return null
  const after = parseText(edited)
  return paths.every((path) => valueAt(after?.value, path) === to) ? edited : null
}

function spliced(text: string, splices: readonly (Splice | null)[]): string | null {
  let edited = text
  // From the end, so that the offsets before still hold.
  const ordered = [...splices].sort((one, other) => (other?.from ?? 0) - (one?.from ?? 0))
  for (const splice of ordered) {
    if (splice === null) return null
    edited = edited.slice(0, splice.from) + splice.insert + edited.slice(splice.to)
  }
  return edited
}

function keySplice(root: Node | null, path: ValuePath, text: string, to: string): Splice | null {
  const parent = nodeAt(root, path.slice(0, -1))
  if (!isMap(parent)) return null
  const pair = parent.items.find(({ key }) => isScalar(key) && String(key.value) === path.at(-1))
  return pair !== undefined && isScalar(pair.key) ? spliceOf(pair.key, text, to) : null
}

function valueSplice(root: Node | null, path: ValuePath, text: string, to: string): Splice | null {
  const node = nodeAt(root, path)
  return isScalar(node) ? spliceOf(node, text, to) : null
}

function spliceOf(node: Scalar, text: string, to: string): Splice {
  const from = startOf(node)
  return { from, to: endOf(node), insert: inQuotesOf(text[from] ?? '', to) }
}

function inQuotesOf(first: string, words: string): string {
  if (first === '"') return JSON.stringify(words)
  if (first === "'") return `'${words.replaceAll("'", "''")}'`
  return renderValue(words) ?? JSON.stringify(words)
}

function nodeAt(root: Node | null, path: ValuePath): Node | null {
  let node = root
  for (const name of path) {
    if (isSeq(node)) {
      const item = node.items[Number(name)]
      node = isNode(item) ? item : null
    } else if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(name))
      node = isNode(pair?.value) ? pair.value : null
    } else return null
  }
  return node
}

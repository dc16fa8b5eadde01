import { Document, isMap, isScalar, isSeq, type Node, visit } from 'yaml'

const flatLength = 72

/** A value on one line, or null when it needs several. */
export function renderValue(value: unknown): string | null {
  if (typeof value === 'string' && value.includes('\n')) return null
  const document = new Document([value])
  if (isSeq(document.contents)) document.contents.flow = true
  const text = document.toString({ lineWidth: 0, flowCollectionPadding: true }).trimEnd()
  // `[ value ]`: inside a flow list a text is quoted wherever it has to be, in any place.
  const inner = /^\[ (.*) \]$/s.exec(text)?.[1]
  if (inner === undefined || inner.includes('\n')) return null
  return inner.replace(/^\[ (.*) \]$/s, '[$1]')
}

/** A name with its value in lines of its own, as a person would write them. */
export function renderPair(name: string, value: unknown, step: number): string {
  const document = new Document(Object.fromEntries([[name, value]]))
  visit(document, {
    Map: (_, node, path) => {
      if (path.length > 1 && node.items.every(({ value: inner }) => isScalar(inner))) {
        node.flow = isShort(node)
      }
    },
    Seq: (_, node) => {
      if (node.items.every((item) => isScalar(item))) node.flow = isShort(node)
    },
  })
  return document
    .toString({ indent: step, lineWidth: 0, flowCollectionPadding: true })
    .trimEnd()
    .replace(/: \[ (.*) \]$/gm, ': [$1]')
}

function isShort(node: Node): boolean {
  return (isMap(node) || isSeq(node)) && JSON.stringify(node.toJSON()).length <= flatLength
}

import { isMap, isNode, isScalar, isSeq, type Node } from 'yaml'

export function startOf(node: Node): number {
  return node.range?.[0] ?? 0
}

/** Behind the last character that a node itself has; blank lines and comments after it are not. */
export function endOf(node: Node): number {
  const own = node.range?.[1] ?? 0
  if (isScalar(node)) return own
  if ((isMap(node) || isSeq(node)) && node.flow !== true) {
    const last = isMap(node) ? node.items.at(-1) : undefined
    if (last !== undefined) {
      if (isNode(last.value) && endOf(last.value) > startOf(last.value)) return endOf(last.value)
      return isNode(last.key) ? endOf(last.key) + 1 : own
    }
    const item = isSeq(node) ? node.items.at(-1) : undefined
    return isNode(item) ? endOf(item) : own
  }
  return own
}

export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1
}

export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset)
  return end === -1 ? text.length : end
}

export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset)
}

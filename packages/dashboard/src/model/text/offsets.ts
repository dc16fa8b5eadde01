import { findNodeAtLocation, type Node as JsonNode, parseTree } from 'jsonc-parser'
import { isMap, isNode, isScalar, isSeq, type Node, parseDocument } from 'yaml'
import { isJsonText } from './edit-text.ts'
import { endOf, startOf } from './yaml-spans.ts'

/** From where to where something stands in the text. */
export interface TextSpan {
  readonly from: number
  readonly to: number
}

/** Where the parts of a definition stand in its text, also while it is being written. */
export interface TextOffsets {
  /** The name of a field with its value, or of its nearest parent that is written. */
  readonly find: (path: readonly (string | number)[]) => TextSpan | undefined
  /** The state whose lines hold the offset. */
  readonly stateAt: (offset: number) => string | undefined
}

export function textOffsets(text: string): TextOffsets {
  const find = isJsonText(text) ? jsonOffsets(text) : yamlOffsets(text)
  let states: readonly { readonly name: string; readonly span: TextSpan }[] | undefined
  return {
    find: (path) => find.span(path),
    stateAt: (offset) => {
      states ??= find.members(['states'])
      return states.find(({ span }) => span.from <= offset && offset <= span.to)?.name
    },
  }
}

interface Finder {
  readonly span: TextOffsets['find']
  readonly members: (
    path: readonly string[],
  ) => readonly { readonly name: string; readonly span: TextSpan }[]
}

function yamlOffsets(text: string): Finder {
  const { contents } = parseDocument(text, { version: '1.2', logLevel: 'silent' })
  const step = (node: Node, name: string | number): { span: TextSpan; node?: Node } | undefined => {
    if (isSeq(node)) {
      const item = node.items[Number(name)]
      return isNode(item)
        ? { span: { from: startOf(item), to: endOf(item) }, node: item }
        : undefined
    }
    if (!isMap(node)) return undefined
    const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(name))
    if (pair === undefined || !isNode(pair.key)) return undefined
    const value = isNode(pair.value) ? pair.value : undefined
    const to = value === undefined ? endOf(pair.key) : Math.max(endOf(value), endOf(pair.key))
    return {
      span: { from: startOf(pair.key), to },
      ...(value === undefined ? {} : { node: value }),
    }
  }
  const walk = (path: readonly (string | number)[]) => {
    let node: Node | undefined = contents ?? undefined
    let span: TextSpan | undefined
    let depth = 0
    for (const name of path) {
      const next: ReturnType<typeof step> = node === undefined ? undefined : step(node, name)
      if (next === undefined) break
      span = next.span
      node = next.node
      depth += 1
    }
    return { span, node: depth === path.length ? node : undefined }
  }
  return {
    span: (path) => walk(path).span,
    members: (path) => {
      const { node } = walk(path)
      if (!isMap(node)) return []
      return node.items.flatMap(({ key }) => {
        if (!isScalar(key)) return []
        const span = step(node, String(key.value))?.span
        return span === undefined ? [] : [{ name: String(key.value), span }]
      })
    },
  }
}

function jsonOffsets(text: string): Finder {
  const root = parseTree(text)
  const spanOf = (node: JsonNode): TextSpan => {
    const whole = node.parent?.type === 'property' ? node.parent : node
    return { from: whole.offset, to: whole.offset + whole.length }
  }
  return {
    span: (path) => {
      if (root === undefined) return undefined
      for (let length = path.length; length > 0; length--) {
        const node = findNodeAtLocation(root, path.slice(0, length))
        if (node !== undefined) return spanOf(node)
      }
      return undefined
    },
    members: (path) => {
      const node = root === undefined ? undefined : findNodeAtLocation(root, [...path])
      return (node?.children ?? []).flatMap(({ children, offset, length }) => {
        const name: unknown = children?.[0]?.value
        return typeof name === 'string'
          ? [{ name, span: { from: offset, to: offset + length } }]
          : []
      })
    },
  }
}

import type { Graph, GraphEdge } from './edges.ts'

/**
 * A Mermaid state diagram. Names come from authors and agents, so that each state gets a plain id
 * and its name only stands as escaped text.
 */
export function toMermaid(graph: Graph, mark: { current?: string } = {}): string {
  const ids = new Map(graph.nodes.map((node, index) => [node.name, `s${index}`]))
  const id = (name: string) => ids.get(name)
  const lines = ['stateDiagram-v2']
  for (const node of graph.nodes) lines.push(`  state "${text(node.name)}" as ${id(node.name)}`)
  const initial = graph.nodes.find((node) => node.isInitial)
  if (initial !== undefined) lines.push(`  [*] --> ${id(initial.name)}`)
  for (const edge of graph.edges) {
    const line = edgeLine(edge, id)
    if (line !== undefined) lines.push(line)
  }
  for (const node of graph.nodes) {
    if (node.isFinal) lines.push(`  ${id(node.name)} --> [*]`)
  }
  const interrupts = graph.edges.filter((edge) => edge.kind === 'interrupt')
  for (const edge of interrupts) {
    const target = id(edge.to)
    if (target !== undefined)
      lines.push(`  note right of ${target} : interrupt ${text(edge.label)}`)
  }
  const current = mark.current === undefined ? undefined : id(mark.current)
  if (current !== undefined) {
    lines.push('  classDef current font-weight:bold,stroke-width:3px', `  class ${current} current`)
  }
  return `${lines.join('\n')}\n`
}

function edgeLine(edge: GraphEdge, id: (name: string) => string | undefined): string | undefined {
  const from = id(edge.from)
  const to = id(edge.to)
  if (edge.to === '$return' && from !== undefined) {
    return `  note left of ${from} : ${text(edge.label)} returns`
  }
  if (from === undefined || to === undefined) return undefined
  return `  ${from} --> ${to} : ${text(edge.label)}`
}

/** Characters that mean something to Mermaid become entities; line breaks become blanks. */
function text(value: string): string {
  return value
    .slice(0, 200)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[#";<>&:{}[\]|\\`%]/g, (char) => `#${char.codePointAt(0)};`)
}

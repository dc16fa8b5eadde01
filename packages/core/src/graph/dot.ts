import type { Graph, GraphEdge } from './edges.ts'

const styles: Readonly<Record<GraphEdge['kind'], string>> = {
  event: '',
  fork: ', style=bold',
  join: ', style=dashed',
  interrupt: ', style=dotted, color=darkorange',
  safe_next: ', style=dotted',
}

/** A Graphviz digraph of a definition. */
export function toDot(graph: Graph): string {
  const lines = [
    `digraph ${quoted(graph.title)} {`,
    '  rankdir=LR;',
    '  node [shape=box, style=rounded];',
  ]
  for (const node of graph.nodes) {
    const shape = node.isFinal ? ', peripheries=2' : ''
    const label = node.note === '' ? node.name : `${node.name}\n${node.note}`
    lines.push(`  ${quoted(node.name)} [label=${quoted(label)}${shape}];`)
  }
  const initial = graph.nodes.find((node) => node.isInitial)
  if (initial !== undefined) {
    lines.push('  "" [shape=point];', `  "" -> ${quoted(initial.name)};`)
  }
  if (graph.edges.some((edge) => edge.from === '*')) {
    lines.push('  "*" [label="any state", shape=plaintext];')
  }
  if (graph.edges.some((edge) => edge.to === '$return')) {
    lines.push('  "$return" [label="interrupted state", shape=plaintext];')
  }
  for (const edge of graph.edges) {
    const style = styles[edge.kind]
    lines.push(
      `  ${quoted(edge.from)} -> ${quoted(edge.to)} [label=${quoted(edge.label)}${style}];`,
    )
  }
  return `${lines.join('\n')}\n}\n`
}

function quoted(value: string): string {
  const safe = value
    .slice(0, 300)
    .replace(/\\/g, '\\\\')
    .replace(/"/g, '\\"')
    .replace(/\n/g, '\\n')
    .replace(/[\p{Cc}]+/gu, ' ')
  return `"${safe}"`
}

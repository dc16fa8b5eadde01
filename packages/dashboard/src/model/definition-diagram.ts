import { parseDefinition, processGraph, workflowGraph } from '@statewright/core'
import { type Diagram, type DiagramNode, layOut } from './diagram.ts'

export interface DefinitionDiagram {
  readonly diagram: Diagram
  /** Moves that can start anywhere, as lines below the picture. */
  readonly interrupts: readonly string[]
}

/** Draws what the text says, also when checks find errors in it; null when it has no shape yet. */
export function definitionDiagram(text: string): DefinitionDiagram | null {
  const parsed = parseDefinition(text)
  if (parsed.definition === undefined) return null
  const graph =
    parsed.kind === 'workflow' ? workflowGraph(parsed.definition) : processGraph(parsed.definition)
  const nodes = graph.nodes.map((node): DiagramNode => {
    if (node.isInitial) return { name: node.name, kind: 'initial' }
    return { name: node.name, kind: node.isFinal ? 'final' : 'plain' }
  })
  const interrupts = graph.edges
    .filter((edge) => edge.kind === 'interrupt')
    .map((edge) => `${edge.label} -> ${edge.to}`)
  return { diagram: layOut(nodes, graph.edges), interrupts }
}

import { type Definition, processGraph, workflowGraph } from '@statewright/core/internal'

/** A picture of a machine, before anything is known of a run in it. */
export interface RunGraph {
  readonly nodes: readonly RunGraphNode[]
  readonly edges: readonly RunGraphEdge[]
}

export interface RunGraphNode {
  readonly id: string
  readonly kind: 'plain' | 'initial' | 'final' | 'anywhere'
  /** The tools, or the question. */
  readonly note: string
}

export interface RunGraphEdge {
  readonly id: string
  readonly from: string
  readonly to: string
  /** One line for each event that shares the arrow. */
  readonly label: string
  /** The events of these lines. */
  readonly events: readonly string[]
  readonly kind: 'event' | 'fork' | 'join' | 'interrupt' | 'safe_next'
}

/** Where interrupts come from and where they return to: whatever state the run is in. */
export const anywhere = '✱'

/** Names an arrow by what it leads from and to. */
export function pairKey(from: string, to: string): string {
  return JSON.stringify([from, to])
}

export function runGraph(definition: Definition): RunGraph {
  const graph =
    definition.kind === 'workflow'
      ? workflowGraph(definition.definition)
      : processGraph(definition.definition)
  const nodes = graph.nodes.map(
    (node): RunGraphNode => ({
      id: node.name,
      kind: node.isInitial ? 'initial' : node.isFinal ? 'final' : 'plain',
      note: node.note,
    }),
  )
  const known = new Set(nodes.map(({ id }) => id))
  const edges = merged(
    graph.edges.map(({ from, to, label, event, kind }) => ({
      from: known.has(from) ? from : anywhere,
      to: known.has(to) ? to : anywhere,
      label,
      events: [event],
      kind,
    })),
  )
  const isAnywhere = edges.some(({ from, to }) => from === anywhere || to === anywhere)
  if (!isAnywhere) return { nodes, edges }
  return { nodes: [...nodes, { id: anywhere, kind: 'anywhere', note: 'any state' }], edges }
}

/** Several events between the same states share one arrow. */
function merged(edges: readonly Omit<RunGraphEdge, 'id'>[]): RunGraphEdge[] {
  const byPair = new Map<string, RunGraphEdge>()
  for (const edge of edges) {
    const id = JSON.stringify([edge.from, edge.to, edge.kind])
    const before = byPair.get(id)
    const label = before === undefined ? edge.label : `${before.label}\n${edge.label}`
    byPair.set(id, { ...edge, id, label, events: [...(before?.events ?? []), ...edge.events] })
  }
  return [...byPair.values()]
}

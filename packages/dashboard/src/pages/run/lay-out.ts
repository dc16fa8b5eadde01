import ELK, { type ElkNode, type LayoutOptions } from 'elkjs/lib/elk-api.js'
import workerUrl from 'elkjs/lib/elk-worker.min.js?url'
import type { RunGraph } from '../../model/run-graph.ts'

export interface Point {
  readonly x: number
  readonly y: number
}

export interface LaidOut {
  readonly nodes: ReadonlyMap<string, Point & { readonly width: number; readonly height: number }>
  readonly edges: ReadonlyMap<string, { readonly points: readonly Point[]; readonly label: Point }>
}

const options: LayoutOptions = {
  'elk.algorithm': 'layered',
  'elk.layered.spacing.nodeNodeBetweenLayers': '34',
  'elk.spacing.nodeNode': '26',
  'elk.spacing.edgeNode': '18',
  'elk.spacing.edgeEdge': '12',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.layered.edgeLabels.sideSelection': 'SMART_DOWN',
  // Definitions list their states in the order in which people think of them.
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
}

const large = 40

// Made when first needed and then kept: it is large, and every diagram uses the same one.
let elk: InstanceType<typeof ELK> | undefined

/**
 * Finds a place for everything, across or down, whichever can be shown larger in the frame. It
 * runs beside the page, which does not freeze meanwhile.
 */
export async function layOut(
  graph: RunGraph,
  frame: { readonly width: number; readonly height: number },
): Promise<LaidOut> {
  const down = await directed(graph, 'DOWN')
  // A large one is not read as a whole anyway: half the work is the better service.
  const across = graph.nodes.length > large ? down : await directed(graph, 'RIGHT')
  const scale = ({ width = 1, height = 1 }: ElkNode) =>
    Math.min(frame.width / width, frame.height / height)
  const placed = scale(across) >= scale(down) ? across : down
  return { nodes: nodesOf(placed), edges: edgesOf(placed) }
}

function directed(graph: RunGraph, direction: 'RIGHT' | 'DOWN'): Promise<ElkNode> {
  elk ??= new ELK({ workerFactory: () => new Worker(workerUrl) })
  return elk.layout({
    id: 'graph',
    layoutOptions: { ...options, 'elk.direction': direction },
    children: graph.nodes.map(({ id, kind }) => ({ id, ...sizeOf(id, kind) })),
    edges: graph.edges.map(({ id, from, to, label }) => ({
      id,
      sources: [from],
      targets: [to],
      labels: [{ text: label, ...labelSize(label) }],
    })),
  })
}

function sizeOf(id: string, kind: string) {
  if (kind === 'anywhere') return { width: 104, height: 34 }
  return { width: Math.min(220, Math.max(110, id.length * 7.6 + 44)), height: 50 }
}

function labelSize(label: string) {
  const lines = label.split('\n')
  const longest = Math.max(...lines.map((line) => Math.min(line.length, 34)))
  return { width: longest * 6.3 + 10, height: lines.length * 15 + 4 }
}

function nodesOf(placed: ElkNode): LaidOut['nodes'] {
  return new Map(
    (placed.children ?? []).map(({ id, x = 0, y = 0, width = 0, height = 0 }) => [
      id,
      { x, y, width, height },
    ]),
  )
}

function edgesOf(placed: ElkNode): LaidOut['edges'] {
  return new Map(
    (placed.edges ?? []).map((edge) => {
      const points = (edge.sections ?? []).flatMap(({ startPoint, bendPoints = [], endPoint }) => [
        startPoint,
        ...bendPoints,
        endPoint,
      ])
      const [label] = edge.labels ?? []
      return [edge.id, { points, label: { x: label?.x ?? 0, y: label?.y ?? 0 } }]
    }),
  )
}

import ELK, { type ElkNode, type LayoutOptions } from 'elkjs/lib/elk-api.js'
import workerUrl from 'elkjs/lib/elk-worker.min.js?url'
import type { RunGraph, RunGraphNode } from '../../model/diagram/run-graph.ts'
import type { Point, Size } from './camera.ts'

export interface LaidOut {
  readonly size: Size
  readonly nodes: ReadonlyMap<string, Point & Size>
  readonly edges: ReadonlyMap<string, { readonly points: readonly Point[]; readonly label: Point }>
}

const options: LayoutOptions = {
  'elk.algorithm': 'layered',
  'elk.layered.spacing.nodeNodeBetweenLayers': '24',
  'elk.spacing.nodeNode': '26',
  'elk.spacing.edgeNode': '18',
  'elk.spacing.edgeEdge': '12',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.layered.edgeLabels.sideSelection': 'SMART_DOWN',
  // Definitions list their states in the order in which people think of them. Ways back are those
  // against it, so that nothing comes before the state in which a run begins.
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.layered.cycleBreaking.strategy': 'MODEL_ORDER',
}

const first = { 'elk.layered.layering.layerConstraint': 'FIRST' }
const large = 40

// Made when first needed and then kept: it is large, and every diagram uses the same one.
let elk: InstanceType<typeof ELK> | undefined

/**
 * Finds a position for everything, across or down, whichever can be shown larger in the frame. It
 * runs beside the page, which does not freeze meanwhile.
 */
export async function layOut(graph: RunGraph, frame: Size): Promise<LaidOut> {
  const down = await directed(graph, 'DOWN')
  // A large one is not read as a whole anyway: half the work is the better service.
  const across = graph.nodes.length > large ? down : await directed(graph, 'RIGHT')
  const scale = ({ width = 1, height = 1 }: ElkNode) =>
    Math.min(frame.width / width, frame.height / height)
  const placed = scale(across) >= scale(down) ? across : down
  const { width = 1, height = 1 } = placed
  return { size: { width, height }, nodes: nodesOf(placed), edges: edgesOf(placed) }
}

function directed(graph: RunGraph, direction: 'RIGHT' | 'DOWN'): Promise<ElkNode> {
  elk ??= new ELK({ workerFactory: () => new Worker(workerUrl) })
  return elk.layout({
    id: 'graph',
    layoutOptions: { ...options, 'elk.direction': direction },
    children: initialFirst(graph.nodes).map(({ id, kind }) => ({
      id,
      ...sizeOf(id, kind),
      ...(kind === 'initial' ? { layoutOptions: first } : {}),
    })),
    edges: [
      ...graph.edges.map(({ id, from, to, label }) => ({
        id,
        sources: [from],
        targets: [to],
        labels: [{ text: label, ...labelSize(label) }],
      })),
      ...unseenEdges(graph),
    ],
  })
}

function initialFirst(nodes: RunGraph['nodes']): RunGraph['nodes'] {
  return nodes.toSorted((one, other) => rank(one.kind) - rank(other.kind))
}

function rank(kind: RunGraphNode['kind']): number {
  if (kind === 'initial') return 0
  return kind === 'anywhere' ? 1 : 2
}

/** Not drawn: it keeps what can happen in any state behind the state in which a run begins. */
function unseenEdges({ nodes }: RunGraph) {
  const start = nodes.find(({ kind }) => kind === 'initial')
  const any = nodes.find(({ kind }) => kind === 'anywhere')
  if (start === undefined || any === undefined) return []
  return [{ id: 'unseen', sources: [start.id], targets: [any.id] }]
}

function sizeOf(id: string, kind: string): Size {
  if (kind === 'anywhere') return { width: 108, height: 36 }
  return { width: Math.min(240, Math.max(124, id.length * 8.2 + 44)), height: 54 }
}

function labelSize(label: string): Size {
  const lines = label.split('\n')
  const longest = Math.max(...lines.map((line) => Math.min(line.length, 34)))
  return { width: longest * 7 + 12, height: lines.length * 18 + 4 }
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

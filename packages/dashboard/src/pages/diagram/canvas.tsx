import {
  type Edge,
  MarkerType,
  MiniMap,
  type Node,
  Position,
  ReactFlow,
  useStore,
} from '@xyflow/react'
import { useMemo, useRef } from 'react'
import { pairKey, type RunGraph } from '../../model/diagram/run-graph.ts'
import type { RunMarks } from '../../model/diagram/run-marks.ts'
import { freeCorner, minZoom } from './camera.ts'
import type { DrawingTools } from './drawing.ts'
import type { LaidOut } from './lay-out.ts'
import { type StateData, StateNode } from './state-node.tsx'
import type { Flow } from './use-camera.ts'
import { type WayData, WayEdge } from './way-edge.tsx'
import '@xyflow/react/dist/base.css'

const nodeTypes = { state: StateNode }
const edgeTypes = { way: WayEdge }
const overviewSize = { width: 132, height: 92 }
/** With the margin around it. */
const overviewCover = { width: 152, height: 112 }
const noAttribution = { hideAttribution: true }

interface CanvasProps {
  readonly graph: RunGraph
  readonly placed: LaidOut
  readonly marks: RunMarks
  readonly chosen?: string | undefined
  readonly onState?: (state: string) => void
  readonly onEdge?: (from: string, to: string) => void
  readonly tools: DrawingTools | null
  readonly isFull: boolean
  readonly hasOverview: boolean
  /** States that the overview must not cover. */
  readonly uncovered: readonly string[]
  readonly onInit: (flow: Flow) => void
  /** Somebody moved the picture themselves. */
  readonly onMoved: () => void
}

/** States and arrows where the layout put them. */
export function Canvas(props: CanvasProps) {
  const { graph, onState, onEdge, tools, isFull } = props
  const nodes = useNodes(props)
  const edges = useEdges(props)
  return (
    <ReactFlow
      nodes={nodes}
      edges={edges}
      nodeTypes={nodeTypes}
      edgeTypes={edgeTypes}
      nodesDraggable={false}
      nodesConnectable={false}
      elementsSelectable={false}
      nodesFocusable={tools !== null}
      edgesFocusable={false}
      // Where all is on screen, nothing has to be brought there.
      autoPanOnNodeFocus={props.hasOverview}
      deleteKeyCode={null}
      zoomOnScroll={isFull}
      zoomOnDoubleClick={false}
      preventScrolling={isFull}
      minZoom={minZoom}
      maxZoom={2}
      proOptions={noAttribution}
      aria-label={`States: ${graph.nodes.map(({ id }) => id).join(', ')}`}
      onInit={props.onInit}
      onMoveStart={(event) => (event === null ? undefined : props.onMoved())}
      onNodeClick={(_, node) => {
        tools?.chooseWay(null)
        onState?.(node.id)
      }}
      onNodeDoubleClick={(_, node) => tools?.setRenaming(node.id)}
      onPaneClick={() => tools?.chooseWay(null)}
      onEdgeClick={(_, edge) => {
        onEdge?.(edge.source, edge.target)
        tools?.chooseWay(edge.data?.ways[0] ?? null)
      }}
    >
      {props.hasOverview ? <Overview placed={props.placed} uncovered={props.uncovered} /> : null}
    </ReactFlow>
  )
}

/** All of the machine, small, in a corner where it does not cover what is being looked at. */
function Overview({ placed, uncovered }: Pick<CanvasProps, 'placed' | 'uncovered'>) {
  const corner = useStore(({ transform: [x, y, zoom], width, height }) => {
    const boxes = uncovered.flatMap((name) => placed.nodes.get(name) ?? [])
    return freeCorner({ x, y, zoom }, { width, height }, overviewCover, boxes)
  })
  if (corner === undefined) return null
  return (
    <MiniMap
      pannable
      position={corner}
      style={overviewSize}
      nodeClassName={lookInMap}
      ariaLabel="Overview"
    />
  )
}

/** A state that looks as before keeps its node: of hundreds, only those that differ are drawn. */
function useNodes({ graph, placed, marks, chosen }: CanvasProps): Node<StateData>[] {
  const kept = useRef<ReadonlyMap<string, Node<StateData>>>(new Map())
  return useMemo(() => {
    const nodes = nodesOf(graph, placed, marks, chosen).map((node) => {
      const before = kept.current.get(node.id)
      return before !== undefined && isSameNode(before, node) ? before : node
    })
    kept.current = new Map(nodes.map((node) => [node.id, node]))
    return nodes
  }, [graph, placed, marks, chosen])
}

function isSameNode(one: Node<StateData>, other: Node<StateData>): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function useEdges({ graph, placed, marks, onEdge }: CanvasProps): Edge<WayData>[] {
  // Through a ref: a new function each time must not draw every arrow again.
  const newest = useRef(onEdge)
  newest.current = onEdge
  const choose = useRef<CanvasProps['onEdge']>(
    onEdge === undefined ? undefined : (from, to) => newest.current?.(from, to),
  )
  // What had moved before the picture was there is not shown as moving.
  const firstMoves = useRef(marks.moves)
  return useMemo(() => {
    const move = marks.moves === firstMoves.current ? undefined : marks.moves
    return edgesOf(graph, placed, marks, { move, choose: choose.current })
  }, [graph, placed, marks])
}

function lookInMap(node: Node<StateData>): string {
  const { isCurrent, standing, visits } = node.data
  return isCurrent || standing > 0
    ? 'in-map is-current'
    : visits > 0
      ? 'in-map is-visited'
      : 'in-map'
}

function nodesOf(
  graph: RunGraph,
  placed: LaidOut,
  marks: RunMarks,
  chosen: string | undefined,
): Node<StateData>[] {
  return graph.nodes.flatMap(({ id, kind, note }) => {
    const box = placed.nodes.get(id)
    if (box === undefined) return []
    const lanes = marks.current.get(id)
    return [
      {
        id,
        type: 'state',
        position: { x: box.x, y: box.y },
        width: box.width,
        height: box.height,
        // Told before they are measured: else every change would draw all arrows again.
        handles: [
          { type: 'target', position: Position.Left, x: 0, y: box.height / 2 },
          { type: 'source', position: Position.Right, x: box.width, y: box.height / 2 },
        ],
        ariaLabel: `State ${id}`,
        data: {
          name: id,
          kind,
          note,
          visits: marks.visits.get(id) ?? 0,
          refusals: marks.refusals.get(id) ?? 0,
          passed: marks.passed.get(id) ?? 0,
          change: marks.changes?.get(id),
          standing: marks.standing?.get(id) ?? 0,
          isCurrent: lanes !== undefined,
          isChosen: id === chosen,
          lanes: lanes?.filter((lane) => lane !== '') ?? [],
          isInterrupted: marks.detour?.from === id,
        },
      },
    ]
  })
}

function edgesOf(
  graph: RunGraph,
  placed: LaidOut,
  marks: RunMarks,
  { move, choose }: { readonly move: number | undefined; readonly choose: CanvasProps['onEdge'] },
): Edge<WayData>[] {
  return graph.edges.map(({ id, from, to, label, events, kind }) => {
    const key = pairKey(from, to)
    const isWalked = marks.walked.has(key)
    const course = placed.edges.get(id)
    return {
      id,
      type: 'way',
      source: from,
      target: to,
      ariaLabel: `${label.replaceAll('\n', ', ')}: from ${from} to ${to}`,
      markerEnd: {
        type: MarkerType.ArrowClosed,
        width: isWalked ? 11 : 16,
        height: isWalked ? 11 : 16,
        color: isWalked ? 'var(--accent)' : 'var(--strong-line)',
      },
      data: {
        label,
        ways: events.map((event) => ({ from, to, event, kind })),
        isWalked,
        move: marks.newest.includes(key) ? move : undefined,
        points: course?.points ?? [],
        labelAt: course?.label ?? { x: 0, y: 0 },
        onChoose: choose === undefined ? undefined : () => choose(from, to),
      },
    }
  })
}

import {
  Controls,
  type Edge,
  MarkerType,
  type Node,
  ReactFlow,
  type ReactFlowInstance,
} from '@xyflow/react'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { RunGraph } from '../../model/run-graph.ts'
import { pairKey, type RunMarks } from '../../model/run-marks.ts'
import { type LaidOut, layOut } from './lay-out.ts'
import { type StateData, StateNode } from './state-node.tsx'
import { type WayData, WayEdge } from './way-edge.tsx'
import '@xyflow/react/dist/base.css'
import './diagram.css'

const nodeTypes = { state: StateNode }
const edgeTypes = { way: WayEdge }

interface DiagramProps {
  readonly graph: RunGraph
  readonly marks: RunMarks
  /** The state that is being looked at elsewhere, such as in the text. */
  readonly chosen?: string | undefined
  readonly onState?: (state: string) => void
  readonly onEdge?: (from: string, to: string) => void
}

// Room for the buttons at the left and the name of the library below.
const fit = {
  padding: { left: '58px', right: '16px', top: '14px', bottom: '22px' },
  maxZoom: 1.1,
} as const

/** A machine as a picture, with where a run stands in it and the way it came. */
export function StateDiagram({ graph, marks, chosen, onState, onEdge }: DiagramProps) {
  const frame = useRef<HTMLDivElement>(null)
  const placed = useLayout(graph, frame)
  const nodes = useMemo(
    () => (placed === null ? [] : nodesOf(graph, placed, marks, chosen)),
    [graph, placed, marks, chosen],
  )
  // Through a ref: a new function each time must not draw every arrow anew.
  const newest = useRef(onEdge)
  newest.current = onEdge
  const choose = useRef<DiagramProps['onEdge']>(
    onEdge === undefined ? undefined : (from, to) => newest.current?.(from, to),
  )
  const edges = useMemo(
    () => (placed === null ? [] : edgesOf(graph, placed, marks, choose.current)),
    [graph, placed, marks],
  )
  const flow = useRef<ReactFlowInstance<Node<StateData>, Edge<WayData>> | null>(null)
  useEffect(() => {
    // A machine that was laid out anew is shown whole again.
    if (placed !== null) requestAnimationFrame(() => void flow.current?.fitView(fit))
  }, [placed])
  return (
    <div
      ref={frame}
      className={onState === undefined ? 'diagram' : 'diagram is-clickable'}
      data-ready={placed !== null}
    >
      {placed === null ? null : (
        <ReactFlow
          fitView
          fitViewOptions={fit}
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          edgeTypes={edgeTypes}
          nodesDraggable={false}
          nodesConnectable={false}
          elementsSelectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          zoomOnScroll={false}
          preventScrolling={false}
          minZoom={0.15}
          aria-label={`States: ${graph.nodes.map(({ id }) => id).join(', ')}`}
          onInit={(instance) => {
            flow.current = instance
          }}
          onNodeClick={(_, node) => onState?.(node.id)}
          onEdgeClick={(_, edge) => onEdge?.(edge.source, edge.target)}
        >
          <Controls showInteractive={false} />
        </ReactFlow>
      )}
    </div>
  )
}

/** Laid out once for a machine; marks of a run come and go without moving anything. */
function useLayout(graph: RunGraph, frame: { readonly current: HTMLDivElement | null }) {
  const [placed, setPlaced] = useState<LaidOut | null>(null)
  useEffect(() => {
    let isOver = false
    const { clientWidth: width = 800, clientHeight: height = 400 } = frame.current ?? {}
    void layOut(graph, { width, height }).then((result) => {
      if (!isOver) setPlaced(result)
    })
    return () => {
      isOver = true
    }
  }, [graph, frame])
  return placed
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
        data: {
          name: id,
          kind,
          note,
          visits: marks.visits.get(id) ?? 0,
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
  choose: DiagramProps['onEdge'],
): Edge<WayData>[] {
  return graph.edges.map(({ id, from, to, label, kind }) => {
    const isWalked = marks.walked.has(pairKey(from, to))
    const course = placed.edges.get(id)
    return {
      id,
      type: 'way',
      source: from,
      target: to,
      markerEnd: {
        type: MarkerType.ArrowClosed,
        width: isWalked ? 11 : 16,
        height: isWalked ? 11 : 16,
        color: isWalked ? 'var(--accent)' : 'var(--strong-line)',
      },
      data: {
        label,
        kind,
        isWalked,
        points: course?.points ?? [],
        labelAt: course?.label ?? { x: 0, y: 0 },
        onChoose: choose === undefined ? undefined : () => choose(from, to),
      },
    }
  })
}

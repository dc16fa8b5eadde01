import { useEffect, useMemo, useRef, useState } from 'react'
import type { RunGraph } from '../../model/diagram/run-graph.ts'
import type { RunMarks } from '../../model/diagram/run-marks.ts'
import { plainText } from '../../model/words/plain-text.ts'
import { margin } from './camera.ts'
import { Canvas } from './canvas.tsx'
import { DiagramTools } from './diagram-tools.tsx'
import { type Drawing, DrawingContext } from './drawing.ts'
import { type LaidOut, layOut } from './lay-out.ts'
import { type Flow, useCamera } from './use-camera.ts'
import { useDrawing } from './use-drawing.ts'
import type { Wire } from './use-wire.ts'
import './diagram.css'

interface DiagramProps {
  readonly graph: RunGraph
  readonly marks: RunMarks
  /** The state that is being looked at elsewhere, such as in the text. */
  readonly chosen?: string | undefined
  readonly onState?: (state: string) => void
  readonly onEdge?: (from: string, to: string) => void
  /** Where the machine can be changed in the picture. */
  readonly drawing?: Drawing | undefined
}

/** A chosen state shows its buttons above it. */
const marginOfTools = 48

/** A machine as a picture, with where a run stands in it and the way it came. */
export function StateDiagram(props: DiagramProps) {
  const { graph, marks, chosen, onState, drawing } = props
  const frame = useRef<HTMLDivElement>(null)
  const area = useRef<HTMLDivElement>(null)
  const placed = useLayout(graph, area)
  const [flow, setFlow] = useState<Flow | null>(null)
  const [isFull, setFull] = useState(false)
  const here = useMemo(() => {
    if (marks.current.size > 0) return [...marks.current.keys()]
    return chosen === undefined ? [] : [chosen]
  }, [marks, chosen])
  const top = drawing === undefined ? margin : marginOfTools
  const camera = useCamera(flow, area, placed, { focus: here, top })
  const { tools, wire, onKeyDown, onAdd, connecting } = useDrawing(drawing, chosen, frame)
  const isFollowed = !camera.isWhole && marks.current.size > 0
  const { isFollowing: isOn, setFollowing } = camera
  const looks = ['diagram', onState && 'is-clickable', isFull && 'is-full', drawing && 'is-drawn']
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the states and buttons within.
    <div
      ref={frame}
      className={looks.filter(Boolean).join(' ')}
      data-ready={placed !== null}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && isFull) {
          event.stopPropagation()
          setFull(false)
        } else onKeyDown(event, onState)
      }}
    >
      <DiagramTools
        zoomBy={(factor) => void flow?.zoomTo(flow.getZoom() * factor)}
        onWhole={camera.reset}
        isFull={isFull}
        onFull={() => setFull(!isFull)}
        follow={isFollowed ? { isOn, onToggle: () => setFollowing(!isOn) } : undefined}
        drawing={drawing}
        onAdd={onAdd}
      />
      <div ref={area} className="diagram-area">
        {placed === null ? null : (
          <DrawingContext.Provider value={tools}>
            <Canvas
              {...{ ...props, placed, tools, isFull, onInit: setFlow }}
              uncovered={here}
              hasOverview={!camera.isWhole}
              onMoved={() => setFollowing(false)}
            />
          </DrawingContext.Provider>
        )}
      </div>
      {wire === null ? null : <WireLine wire={wire} />}
      {drawing === undefined ? null : <DrawingKeys connecting={connecting} />}
      <TextOfMachine graph={graph} />
    </div>
  )
}

/** What the keys do on a state that has the keyboard. */
function DrawingKeys({ connecting }: { readonly connecting: string | null }) {
  return (
    <p className="diagram-keys small-text" role="status">
      {connecting === null ? (
        <>
          <kbd>↑</kbd> <kbd>↓</kbd> other states · <kbd>F2</kbd> rename · <kbd>c</kbd> connect
          {' · '}
          <kbd>a</kbd> add · <kbd>Delete</kbd>
        </>
      ) : (
        <>
          Connect {plainText(connecting, 40)}: <kbd>Enter</kbd> on another state; <kbd>Esc</kbd>
          {' leaves'}
        </>
      )}
    </p>
  )
}

/** The line that follows the pointer, over everything. */
function WireLine({ wire: { at, to } }: { readonly wire: Wire }) {
  return (
    <svg className="wire" aria-hidden="true">
      <line x1={at.x} y1={at.y} x2={to.x} y2={to.y} />
      <circle cx={to.x} cy={to.y} r={5} />
    </svg>
  )
}

/** The same in words, for anyone who does not see the picture. */
function TextOfMachine({ graph }: { readonly graph: RunGraph }) {
  return (
    <ul className="visually-hidden" aria-label="States and transitions">
      {graph.edges.map(({ id, from, to, label }) => (
        <li key={id}>{`${from}: ${label.replaceAll('\n', ', ')} leads to ${to}`}</li>
      ))}
    </ul>
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

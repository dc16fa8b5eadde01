import { BaseEdge, type Edge, EdgeLabelRenderer, type EdgeProps } from '@xyflow/react'
import { Trash2 } from 'lucide-react'
import { type ReactNode, useContext } from 'react'
import type { WayRef } from '../../model/text/draw-text.ts'
import { plainText } from '../../model/words/plain-text.ts'
import type { Point } from './camera.ts'
import { DrawingContext, type DrawingTools, isSameWay } from './drawing.ts'
import { NameField } from './name-field.tsx'

export type WayData = {
  readonly label: string
  readonly ways: readonly WayRef[]
  readonly isWalked: boolean
  /** Set while the newest move went along here; another number is another move. */
  readonly move: number | undefined
  readonly points: readonly Point[]
  readonly labelAt: Point
  readonly onChoose?: (() => void) | undefined
}

/** An arrow along the course that the layout found for it. */
export function WayEdge({ id, data, markerEnd }: EdgeProps<Edge<WayData>>) {
  const tools = useContext(DrawingContext)
  if (data === undefined) return null
  const { label, ways, isWalked, move, points, labelAt } = data
  const looks = `way ${ways[0]?.kind ?? ''}${isWalked ? ' is-walked' : ''}`
  const path = rounded(points)
  const chosen = ways.find((way) => isSameWay(tools?.chosenWay ?? null, way))
  const end = points.at(-1)
  return (
    <>
      <BaseEdge
        id={id}
        path={path}
        className={chosen === undefined ? looks : `${looks} is-chosen`}
        {...(markerEnd === undefined ? {} : { markerEnd })}
      />
      {move === undefined ? null : (
        <circle key={move} r={6} className="mover" style={{ offsetPath: `path("${path}")` }} />
      )}
      <EdgeLabelRenderer>
        <span
          className={`way-label ${looks}`}
          style={{ transform: `translate(${labelAt.x}px, ${labelAt.y}px)` }}
        >
          {label.split('\n').map((line, index) => (
            <Line key={line} line={line} way={ways[index]} onChoose={data.onChoose} />
          ))}
        </span>
        {chosen === undefined || end === undefined ? null : (
          <button
            type="button"
            tabIndex={-1}
            className="way-end nopan nodrag"
            aria-label={`Change the target of ${chosen.event}`}
            title="Drag to another state"
            style={{ transform: `translate(${end.x}px, ${end.y}px) translate(-50%, -50%)` }}
            onPointerDown={(event) => {
              event.preventDefault()
              const at = { x: event.clientX, y: event.clientY }
              tools?.startWire({ at, from: { way: chosen } })
            }}
          />
        )}
      </EdgeLabelRenderer>
    </>
  )
}

/** One event on the arrow: words, a button that leads to its text, or what is typed now. */
function Line(props: {
  readonly line: string
  readonly way: WayRef | undefined
  readonly onChoose: (() => void) | undefined
}) {
  const { line, way, onChoose } = props
  const tools = useContext(DrawingContext)
  const words = <span className="clip">{plainText(line, 60)}</span>
  if (onChoose === undefined || way === undefined) return words
  if (tools === null || !isSameWay(tools.chosenWay, way)) {
    return (
      // By keyboard the same is reached in the text or the fields.
      <button
        type="button"
        tabIndex={-1}
        className="way-button nopan"
        onClick={() => {
          onChoose()
          tools?.chooseWay(way)
        }}
      >
        {words}
      </button>
    )
  }
  return <WayTools way={way} words={words} tools={tools} />
}

/** The chosen way: its name can be typed, and it can be taken out. */
function WayTools(props: {
  readonly way: WayRef
  readonly words: ReactNode
  readonly tools: DrawingTools
}) {
  const { way, words, tools } = props
  const { drawing, chooseWay, isNaming, setNaming } = tools
  const hasName = way.kind !== 'safe_next' && way.kind !== 'interrupt'
  return (
    <span className="way-tools nopan">
      {hasName && isNaming ? (
        <NameField
          label="Name of the event"
          value={way.event}
          onDone={(to) => {
            setNaming(false)
            tools.focusState(way.from)
            if (to === null || to === way.event) return
            drawing.onRenameEvent(way, to)
            chooseWay({ ...way, event: to })
          }}
        />
      ) : (
        <button
          type="button"
          className="way-button"
          disabled={!hasName}
          aria-label={`Rename ${way.event}`}
          onClick={() => setNaming(true)}
        >
          {words}
        </button>
      )}
      <button
        type="button"
        aria-label={`Delete ${way.event}`}
        // Before the field loses the focus and with it its text.
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => {
          chooseWay(null)
          drawing.onRemoveWay(way)
        }}
      >
        <Trash2 aria-hidden="true" className="icon" />
      </button>
    </span>
  )
}

const radius = 7

/** Straight lines with their corners rounded. */
function rounded(points: readonly Point[]): string {
  const [first, ...rest] = points
  if (first === undefined) return ''
  let path = `M${first.x} ${first.y}`
  let before = first
  rest.forEach((point, index) => {
    const after = rest[index + 1]
    if (after === undefined) {
      path += ` L${point.x} ${point.y}`
    } else {
      const enter = towards(point, before)
      const leave = towards(point, after)
      path += ` L${enter.x} ${enter.y} Q${point.x} ${point.y} ${leave.x} ${leave.y}`
    }
    before = point
  })
  return path
}

function towards(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y)
  if (length === 0) return from
  const share = Math.min(radius, length / 2) / length
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }
}

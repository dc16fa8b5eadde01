import { BaseEdge, type Edge, EdgeLabelRenderer, type EdgeProps } from '@xyflow/react'
import { plainText } from '../../model/plain-text.ts'
import type { Point } from './lay-out.ts'

export type WayData = {
  readonly label: string
  readonly kind: string
  readonly isWalked: boolean
  readonly points: readonly Point[]
  readonly labelAt: Point
  readonly onChoose?: (() => void) | undefined
}

/** An arrow along the course that the layout found for it. */
export function WayEdge({ id, data, markerEnd }: EdgeProps<Edge<WayData>>) {
  if (data === undefined) return null
  const { label, kind, isWalked, points, labelAt, onChoose } = data
  const looks = `way ${kind}${isWalked ? ' is-walked' : ''}`
  const placed = { transform: `translate(${labelAt.x}px, ${labelAt.y}px)` }
  return (
    <>
      <BaseEdge
        id={id}
        path={rounded(points)}
        className={looks}
        {...(markerEnd === undefined ? {} : { markerEnd })}
      />
      <EdgeLabelRenderer>
        {onChoose === undefined ? (
          <span className={`way-label ${looks}`} style={placed}>
            <Lines label={label} />
          </span>
        ) : (
          // By keyboard the same place is reached in the text or the fields.
          <button
            type="button"
            tabIndex={-1}
            className={`way-label is-button ${looks}`}
            style={placed}
            onClick={onChoose}
          >
            <Lines label={label} />
          </button>
        )}
      </EdgeLabelRenderer>
    </>
  )
}

function Lines({ label }: { readonly label: string }) {
  return label.split('\n').map((line) => (
    <span key={line} className="clip">
      {plainText(line, 60)}
    </span>
  ))
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

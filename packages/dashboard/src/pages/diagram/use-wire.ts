import { useCallback, useEffect, useRef, useState } from 'react'
import type { Point } from './camera.ts'
import type { WireStart } from './drawing.ts'

/** A line that is being drawn, in the measures of the screen. */
export interface Wire extends WireStart {
  readonly to: Point
}

/** Draws a line after the pointer, and says on which state it was let go, if on any. */
export function useWire(
  onDrop: (start: WireStart, state: string | undefined) => void,
): [Wire | null, (start: WireStart) => void] {
  const [wire, setWire] = useState<Wire | null>(null)
  const newest = useRef(onDrop)
  newest.current = onDrop
  const isDrawing = wire !== null
  const start = useRef<WireStart | null>(null)
  useEffect(() => {
    if (!isDrawing) return undefined
    const move = ({ clientX: x, clientY: y }: PointerEvent) =>
      setWire((old) => (old === null ? null : { ...old, to: { x, y } }))
    const drop = ({ clientX: x, clientY: y }: PointerEvent) => {
      const begun = start.current
      setWire(null)
      if (begun === null || distance(begun.at, { x, y }) < nearPixels) return
      const node = document.elementFromPoint(x, y)?.closest('.react-flow__node')
      newest.current(begun, node?.getAttribute('data-id') ?? undefined)
    }
    const leave = (event: KeyboardEvent) => (event.key === 'Escape' ? setWire(null) : undefined)
    document.addEventListener('pointermove', move)
    document.addEventListener('pointerup', drop)
    document.addEventListener('keydown', leave)
    return () => {
      document.removeEventListener('pointermove', move)
      document.removeEventListener('pointerup', drop)
      document.removeEventListener('keydown', leave)
    }
  }, [isDrawing])
  const begin = useCallback((begun: WireStart) => {
    start.current = begun
    setWire({ ...begun, to: begun.at })
  }, [])
  return [wire, begin]
}

/** A click that trembles is no line. */
const nearPixels = 12

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y)
}

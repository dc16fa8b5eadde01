import type { Edge, Node, ReactFlowInstance } from '@xyflow/react'
import { type RefObject, useCallback, useEffect, useState } from 'react'
import { boxAround, type Frame, isSeen, isWhole, viewOf } from './camera.ts'
import type { LaidOut } from './lay-out.ts'
import type { StateData } from './state-node.tsx'
import type { WayData } from './way-edge.tsx'

export type Flow = ReactFlowInstance<Node<StateData>, Edge<WayData>>

interface Camera {
  /** Whether all of the machine is on screen by itself. */
  readonly isWhole: boolean
  readonly isFollowing: boolean
  readonly setFollowing: (isFollowing: boolean) => void
  /** Back to what is shown at first. */
  readonly reset: () => void
}

const moveMs = 350

/**
 * Shows the whole machine where it can be read; else the part in which the run stands, and goes
 * with it until somebody looks elsewhere.
 */
export function useCamera(
  flow: Flow | null,
  frame: RefObject<HTMLDivElement | null>,
  placed: LaidOut | null,
  { focus, top }: { readonly focus: readonly string[]; readonly top: number },
): Camera {
  const size = useSize(frame, top)
  const [isFollowing, setFollowing] = useState(true)
  const isAll = placed === null || size === null || isWhole(placed.size, size)
  const look = useCallback(
    (isForced: boolean) => {
      if (flow === null || placed === null || size === null) return
      const names = focus.length === 0 ? [...placed.nodes.keys()].slice(0, 1) : focus
      const boxes = names.flatMap((name) => placed.nodes.get(name) ?? [])
      const box = boxAround(boxes)
      if (box === undefined) return
      if (!isForced && isSeen(flow.getViewport(), size, box)) return
      void flow.setViewport(viewOf(placed.size, size, box), { duration: isForced ? 0 : duration() })
    },
    [flow, placed, size, focus],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: another focus alone moves gently.
  useEffect(() => look(true), [flow, placed, size])
  useEffect(() => {
    if (isFollowing) look(false)
  }, [isFollowing, look])
  const reset = () => {
    setFollowing(true)
    look(true)
  }
  return { isWhole: isAll, isFollowing, setFollowing, reset }
}

function duration(): number {
  return matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : moveMs
}

function useSize(frame: RefObject<HTMLDivElement | null>, top: number): Frame | null {
  const [size, setSize] = useState<Frame | null>(null)
  useEffect(() => {
    const { current } = frame
    if (current === null) return undefined
    const observer = new ResizeObserver(() => {
      setSize({ width: current.clientWidth, height: current.clientHeight, top })
    })
    observer.observe(current)
    return () => observer.disconnect()
  }, [frame, top])
  return size
}

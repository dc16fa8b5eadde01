import { type KeyboardEvent, type RefObject, useCallback, useMemo, useState } from 'react'
import type { WayRef } from '../../model/text/draw-text.ts'
import type { Drawing, DrawingTools, WireStart } from './drawing.ts'
import { focusState, neighbourOf, nodeOf } from './node-focus.ts'
import { useWire } from './use-wire.ts'

/** What is chosen and typed in a picture that is drawn in. */
export function useDrawing(
  drawing: Drawing | undefined,
  chosen: string | undefined,
  frame: RefObject<HTMLElement | null>,
) {
  const { tools, draw } = useTools(drawing, frame)
  const [wire, startWire] = useWire(draw)
  const [connecting, setConnecting] = useState<string | null>(null)
  const onAdd = () => {
    const name = drawing?.onAdd()
    if (name !== undefined) tools.setRenaming(name)
  }
  const onConnectKey = (event: KeyboardEvent, from: string, node: string | undefined): boolean => {
    if (event.key === 'Escape') setConnecting(null)
    else if (node !== undefined && event.key === 'Enter') {
      setConnecting(null)
      draw({ at: { x: 0, y: 0 }, from: { state: from } }, node)
    } else return false
    return true
  }
  const onStateKey = (event: KeyboardEvent, node: string | undefined): boolean => {
    const state = node ?? chosen
    const isRemoval = event.key === 'Delete' || event.key === 'Backspace'
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
    if (drawing === undefined) return false
    if (state && event.key === 'F2') tools.setRenaming(state)
    else if (node && isRemoval) {
      focusState(frame, neighbourOf(frame, node, 1))
      drawing.onRemove(node)
    } else if (node && isPlain && event.key === 'c') setConnecting(node)
    else if (node && isPlain && event.key === 'a') onAdd()
    else return false
    return true
  }
  const onKeyDown = (event: KeyboardEvent, onState: ((state: string) => void) | undefined) => {
    if (drawing === undefined) return
    const node = nodeOf(event.target)
    const step = steps.get(event.key)
    const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z'
    if (isUndo) (event.shiftKey ? drawing.onRedo : drawing.onUndo)()
    else if (node && step) focusState(frame, neighbourOf(frame, node, step))
    else if (connecting !== null && onConnectKey(event, connecting, node)) {
      // It has led somewhere, or nowhere.
    } else if (node && event.key === 'Enter') onState?.(node)
    else if (!onStateKey(event, node)) return
    event.preventDefault()
    event.stopPropagation()
  }
  return {
    tools: useShared(tools, drawing, startWire),
    wire,
    onKeyDown,
    onAdd,
    connecting,
  }
}

/** Every state and arrow reads these: they change with what they hold, and not with a key. */
function useShared(
  tools: Omit<DrawingTools, 'drawing' | 'startWire'>,
  drawing: Drawing | undefined,
  startWire: DrawingTools['startWire'],
): DrawingTools | null {
  return useMemo(
    () => (drawing === undefined ? null : { ...tools, drawing, startWire }),
    [tools, drawing, startWire],
  )
}

const steps: ReadonlyMap<string, 1 | -1> = new Map([
  ['ArrowRight', 1],
  ['ArrowDown', 1],
  ['ArrowLeft', -1],
  ['ArrowUp', -1],
])

/** What is chosen and typed, and what comes of a line that was drawn. */
function useTools(drawing: Drawing | undefined, frame: RefObject<HTMLElement | null>) {
  const [renaming, setRenaming] = useState<string | null>(null)
  const [chosenWay, setWay] = useState<WayRef | null>(null)
  const [isNaming, setNaming] = useState(false)
  const chooseWay = useCallback((way: WayRef | null) => {
    setWay(way)
    setNaming(false)
  }, [])
  const draw = (start: WireStart, state: string | undefined) => {
    if (drawing === undefined) return
    if ('way' in start.from) {
      if (state !== undefined) drawing.onReconnect(start.from.way, state)
      chooseWay(null)
      return
    }
    const way = drawing.onConnect(start.from.state, state)
    if (way === undefined) return
    if (state === undefined) {
      setRenaming(way.to)
      return
    }
    setWay(way)
    setNaming(true)
  }
  const tools = useMemo(
    (): Omit<DrawingTools, 'drawing' | 'startWire'> => ({
      renaming,
      setRenaming,
      chosenWay,
      chooseWay,
      isNaming,
      setNaming,
      focusState: (state) => focusState(frame, state),
    }),
    [renaming, chosenWay, chooseWay, isNaming, frame],
  )
  return { tools, draw }
}

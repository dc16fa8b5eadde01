import { type KeyboardEvent, useState } from 'react'
import type { WayRef } from '../../model/text/draw-text.ts'
import type { Drawing, WireStart } from './drawing.ts'
import { useWire } from './use-wire.ts'

/** What is chosen and typed in a picture that is drawn in. */
export function useDrawing(drawing: Drawing | undefined, chosen: string | undefined) {
  const [renaming, setRenaming] = useState<string | null>(null)
  const [chosenWay, setWay] = useState<WayRef | null>(null)
  const [isNaming, setNaming] = useState(false)
  const chooseWay = (way: WayRef | null) => {
    setWay(way)
    setNaming(false)
  }
  const [wire, startWire] = useWire((start: WireStart, state: string | undefined) => {
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
  })
  const onAdd = () => {
    const name = drawing?.onAdd()
    if (name !== undefined) setRenaming(name)
  }
  const onKeyDown = (event: KeyboardEvent, onState: ((state: string) => void) | undefined) => {
    if (drawing === undefined) return
    const node = nodeOf(event.target)
    const state = node ?? chosen
    const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z'
    if (isUndo) (event.shiftKey ? drawing.onRedo : drawing.onUndo)()
    else if (node && event.key === 'Enter') onState?.(node)
    else if (state && event.key === 'F2') setRenaming(state)
    else if (node && (event.key === 'Delete' || event.key === 'Backspace')) drawing.onRemove(node)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const tools =
    drawing === undefined
      ? null
      : {
          drawing,
          renaming,
          setRenaming,
          chosenWay,
          chooseWay,
          isNaming,
          setNaming,
          startWire,
        }
  return { tools, wire, onKeyDown, onAdd }
}

/** The state that has the keyboard. */
function nodeOf(target: EventTarget): string | undefined {
  if (!(target instanceof Element)) return undefined
  return target.closest('.react-flow__node')?.getAttribute('data-id') ?? undefined
}

import type { Definition } from '@statewright/core/internal'
import { type RefObject, useMemo, useState } from 'react'
import {
  addState,
  connect,
  freeName,
  reconnect,
  removeState,
  removeWay,
  renameEvent,
  renameState,
  setFinal,
} from '../../model/text/draw-text.ts'
import { toast } from '../../ui/dialogs/toasts.tsx'
import type { Drawing } from '../diagram/drawing.ts'
import type { EditorCallbacks } from './code-editor.tsx'

/** Writes what is drawn into the text, which stays the truth; undo is the one of the text. */
export function useDrawing(options: {
  readonly definition: Definition
  readonly currentText: () => string
  readonly onText: (text: string) => void
  readonly onState: (state: string) => void
  readonly callbacks: RefObject<EditorCallbacks | null>
}) {
  const { definition, currentText, onText, onState, callbacks } = options
  const [forking, setForking] = useState<string | null>(null)
  const { kind } = definition
  const names = useMemo(() => Object.keys(definition.definition.states), [definition])
  const drawing = useMemo(
    () => drawingOf({ kind, names, currentText, onText, onState, callbacks, setForking }),
    [kind, names, currentText, onText, onState, callbacks],
  )
  const isForking = forking !== null && names.includes(forking)
  return { drawing, names, forking: isForking ? forking : null, endFork: () => setForking(null) }
}

function drawingOf(options: {
  readonly kind: Definition['kind']
  readonly names: readonly string[]
  readonly currentText: () => string
  readonly onText: (text: string) => void
  readonly onState: (state: string) => void
  readonly callbacks: RefObject<EditorCallbacks | null>
  readonly setForking: (state: string) => void
}): Drawing {
  const { kind, names, currentText, onText, onState, callbacks, setForking } = options
  const take = (edited: string | null, fault: string): boolean => {
    if (edited === null) toast('bad', fault, 'Change it in the text.')
    else onText(edited)
    return edited !== null
  }
  const addNew = () => {
    const name = freeName(kind === 'workflow' ? 'state' : 'question', names)
    return { name, edited: addState(currentText(), kind, name) }
  }
  const isWorkflow = kind === 'workflow'
  return {
    onAdd: () => {
      const { name, edited } = addNew()
      if (!take(edited, 'No state can be added')) return undefined
      onState(name)
      return name
    },
    onRename: (state, to) => {
      if (names.includes(to)) toast('bad', `There is already a state ${to}`)
      else if (take(renameState(currentText(), state, to), `${state} cannot be renamed`))
        onState(to)
    },
    onRemove: (state) => take(removeState(currentText(), state), `${state} cannot be deleted`),
    onConnect: (from, target) => {
      const added = target === undefined ? addNew() : { name: target, edited: currentText() }
      const joined = added.edited === null ? null : connect(added.edited, { from, to: added.name })
      if (
        !take(joined?.text ?? null, `${from} cannot be connected to that state`) ||
        joined === null
      ) {
        return undefined
      }
      if (target === undefined) onState(added.name)
      return { from, to: added.name, event: joined.event, kind: 'event' }
    },
    onReconnect: (way, to) =>
      take(reconnect(currentText(), way, to), `${way.event} cannot lead to that state`),
    onRenameEvent: (way, event) =>
      take(renameEvent(currentText(), way, event), `${way.event} cannot be called ${event}`),
    onRemoveWay: (way) => take(removeWay(currentText(), way), `${way.event} cannot be deleted`),
    onFinal: isWorkflow
      ? (state, isFinal) =>
          take(setFinal(currentText(), state, isFinal), `${state} cannot be changed`)
      : undefined,
    onFork: isWorkflow ? setForking : undefined,
    onUndo: () => callbacks.current?.undo(),
    onRedo: () => callbacks.current?.redo(),
  }
}

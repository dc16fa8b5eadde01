import type { Definition } from '@statewright/core/internal'
import { type RefObject, useState } from 'react'
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
import { toast } from '../../ui/toasts.tsx'
import type { Drawing } from '../diagram/drawing.ts'
import type { EditorCallbacks } from './code-editor.tsx'

/** Writes what is drawn into the text, which stays the truth; undo is the one of the text. */
export function useDrawing(options: {
  readonly definition: Definition
  readonly text: string
  readonly onText: (text: string) => void
  readonly onState: (state: string) => void
  readonly callbacks: RefObject<EditorCallbacks | null>
}) {
  const { definition, text, onText, onState, callbacks } = options
  const [forking, setForking] = useState<string | null>(null)
  const { kind } = definition
  const names = Object.keys(definition.definition.states)
  const take = (edited: string | null, fault: string): boolean => {
    if (edited === null) toast('bad', fault, 'Change it in the text.')
    else onText(edited)
    return edited !== null
  }
  const addNew = () => {
    const name = freeName(kind === 'workflow' ? 'state' : 'question', names)
    return { name, edited: addState(text, kind, name) }
  }
  const isWorkflow = kind === 'workflow'
  const drawing: Drawing = {
    onAdd: () => {
      const { name, edited } = addNew()
      if (!take(edited, 'No state can be added')) return undefined
      onState(name)
      return name
    },
    onRename: (state, to) => {
      if (names.includes(to)) toast('bad', `There is a state ${to} already`)
      else if (take(renameState(text, state, to), `${state} cannot be renamed`)) onState(to)
    },
    onRemove: (state) => take(removeState(text, state), `${state} cannot be deleted`),
    onConnect: (from, target) => {
      const added = target === undefined ? addNew() : { name: target, edited: text }
      const joined = added.edited === null ? null : connect(added.edited, { from, to: added.name })
      if (!take(joined?.text ?? null, `${from} cannot lead there`) || joined === null) {
        return undefined
      }
      if (target === undefined) onState(added.name)
      return { from, to: added.name, event: joined.event, kind: 'event' }
    },
    onReconnect: (way, to) => take(reconnect(text, way, to), `${way.event} cannot lead there`),
    onRenameEvent: (way, event) =>
      take(renameEvent(text, way, event), `${way.event} cannot be called ${event}`),
    onRemoveWay: (way) => take(removeWay(text, way), `${way.event} cannot be deleted`),
    onFinal: isWorkflow
      ? (state, isFinal) => take(setFinal(text, state, isFinal), `${state} cannot be changed`)
      : undefined,
    onFork: isWorkflow ? setForking : undefined,
    onUndo: () => callbacks.current?.undo(),
    onRedo: () => callbacks.current?.redo(),
  }
  const isForking = forking !== null && names.includes(forking)
  return { drawing, names, forking: isForking ? forking : null, endFork: () => setForking(null) }
}

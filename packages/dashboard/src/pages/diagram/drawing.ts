import { createContext } from 'react'
import type { WayRef } from '../../model/text/draw-text.ts'
import type { Point } from './camera.ts'

/** What can be done in a picture that is drawn in; each changes the text behind it. */
export interface Drawing {
  /** Adds a state and says its name. */
  readonly onAdd: () => string | undefined
  readonly onRename: (state: string, to: string) => void
  readonly onRemove: (state: string) => void
  /** Both for workflows alone: the questions of a process have no such thing. */
  readonly onFinal: ((state: string, isFinal: boolean) => void) | undefined
  readonly onFork: ((state: string) => void) | undefined
  /** Leads a new way to a state, to a new one where none is named; says which way it is. */
  readonly onConnect: (from: string, to: string | undefined) => WayRef | undefined
  readonly onReconnect: (way: WayRef, to: string) => void
  readonly onRenameEvent: (way: WayRef, event: string) => void
  readonly onRemoveWay: (way: WayRef) => void
  readonly onUndo: () => void
  readonly onRedo: () => void
}

/** What begins a line that is drawn with the pointer. */
export interface WireStart {
  readonly at: Point
  /** A new way out of a state, or a way that gets another end. */
  readonly from: { readonly state: string } | { readonly way: WayRef }
}

/** What states and arrows need of the picture that they are drawn in. */
export interface DrawingTools {
  readonly drawing: Drawing
  /** The state whose name is being typed. */
  readonly renaming: string | null
  readonly setRenaming: (state: string | null) => void
  readonly chosenWay: WayRef | null
  readonly chooseWay: (way: WayRef | null) => void
  /** Whether the event of the chosen way is being typed. */
  readonly isNaming: boolean
  readonly setNaming: (isNaming: boolean) => void
  readonly startWire: (start: WireStart) => void
  /** Gives the keyboard back to a state once its name, or that of a way out of it, is typed. */
  readonly focusState: (state: string) => void
}

/** Null where the picture is only looked at. */
export const DrawingContext = createContext<DrawingTools | null>(null)

export function isSameWay(one: WayRef | null, other: WayRef): boolean {
  return (
    one !== null &&
    one.from === other.from &&
    one.to === other.to &&
    one.event === other.event &&
    one.kind === other.kind
  )
}

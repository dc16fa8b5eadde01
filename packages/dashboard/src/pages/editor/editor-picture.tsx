import type { Definition } from '@statewright/core/internal'
import { memo, type RefObject } from 'react'
import type { RunGraph } from '../../model/diagram/run-graph.ts'
import type { RunMarks } from '../../model/diagram/run-marks.ts'
import { StateDiagram } from '../diagram/state-diagram.tsx'
import type { EditorCallbacks } from './code-editor.tsx'
import { ForkDialog } from './fork-dialog.tsx'
import { useDrawing } from './use-drawing.ts'

interface PictureProps {
  readonly definition: Definition
  readonly graph: RunGraph
  readonly marks: RunMarks
  readonly chosen: string | undefined
  /** The picture is of an older text: then it is only looked at. */
  readonly isOld: boolean
  readonly currentText: () => string
  readonly onText: (text: string) => void
  readonly onState: (state: string) => void
  readonly onEdge: (from: string, to: string) => void
  readonly callbacks: RefObject<EditorCallbacks | null>
}

/** The picture of the text, in which the machine is drawn. */
export const EditorPicture = memo(function EditorPicture(props: PictureProps) {
  const { graph, marks, chosen, isOld, currentText, onText, onState, onEdge } = props
  const { drawing, names, forking, endFork } = useDrawing(props)
  return (
    <>
      <StateDiagram
        {...{ graph, marks, chosen, onState, onEdge }}
        drawing={isOld ? undefined : drawing}
      />
      {isOld ? (
        <p className="badge wait editor-old">Diagram is from the last valid version</p>
      ) : null}
      {forking === null ? null : (
        <ForkDialog state={forking} states={names} {...{ currentText, onText }} onClose={endFork} />
      )}
    </>
  )
})

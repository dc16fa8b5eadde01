import {
  LocateFixed,
  type LucideIcon,
  Maximize2,
  Minimize2,
  Minus,
  Plus,
  Redo2,
  Scan,
  SquarePlus,
  Undo2,
} from 'lucide-react'
import type { Drawing } from './drawing.ts'

/** The buttons on a diagram. */
export function DiagramTools(props: {
  readonly zoomBy: (factor: number) => void
  readonly onWhole: () => void
  readonly isFull: boolean
  readonly onFull: () => void
  /** Undefined where nothing can be followed: all is on screen, or nothing runs. */
  readonly follow: { readonly isOn: boolean; readonly onToggle: () => void } | undefined
  readonly drawing: Drawing | undefined
  readonly onAdd: () => void
}) {
  const { zoomBy, onWhole, isFull, onFull, follow, drawing, onAdd } = props
  return (
    <div className="diagram-tools">
      {drawing === undefined ? null : (
        <div className="tool-group">
          <Tool name="Add a state" Icon={SquarePlus} onClick={onAdd} />
          <Tool name="Undo" Icon={Undo2} onClick={drawing.onUndo} />
          <Tool name="Redo" Icon={Redo2} onClick={drawing.onRedo} />
        </div>
      )}
      <div className="tool-group">
        {follow === undefined ? null : (
          <Tool
            name="Follow the current state"
            Icon={LocateFixed}
            isOn={follow.isOn}
            onClick={follow.onToggle}
          />
        )}
        <Tool name="Zoom out" Icon={Minus} onClick={() => zoomBy(1 / 1.25)} />
        <Tool name="Zoom in" Icon={Plus} onClick={() => zoomBy(1.25)} />
        <Tool name="Reset the view" Icon={Scan} onClick={onWhole} />
        <Tool
          name={isFull ? 'Leave full screen' : 'Full screen'}
          Icon={isFull ? Minimize2 : Maximize2}
          onClick={onFull}
        />
      </div>
    </div>
  )
}

function Tool(props: {
  readonly name: string
  readonly Icon: LucideIcon
  readonly onClick: () => void
  readonly isOn?: boolean
}) {
  const { name, Icon, onClick, isOn } = props
  return (
    <button
      type="button"
      className={isOn === true ? 'diagram-tool is-on' : 'diagram-tool'}
      title={name}
      aria-label={name}
      {...(isOn === undefined ? {} : { 'aria-pressed': isOn })}
      onClick={onClick}
    >
      <Icon aria-hidden="true" className="icon" />
    </button>
  )
}

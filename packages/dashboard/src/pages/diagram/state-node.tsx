import { Handle, type Node, type NodeProps, NodeToolbar, Position } from '@xyflow/react'
import { CircleStop, GitFork, type LucideIcon, Pencil, Plus, Trash2 } from 'lucide-react'
import { useContext } from 'react'
import type { StateChange } from '../../model/diagram/run-marks.ts'
import { plainText } from '../../model/words/plain-text.ts'
import { count } from '../../model/words/words.ts'
import { Mark } from '../../ui/values/mark.tsx'
import { DrawingContext, type DrawingTools } from './drawing.ts'
import { NameField } from './name-field.tsx'

export type StateData = {
  readonly name: string
  readonly kind: 'plain' | 'initial' | 'final' | 'anywhere'
  readonly note: string
  readonly visits: number
  readonly refusals: number
  readonly passed: number
  readonly change: StateChange | undefined
  /** How many runs stand here, where the picture is of all of them. */
  readonly standing: number
  readonly isCurrent: boolean
  readonly isChosen: boolean
  /** The branches that stand here. */
  readonly lanes: readonly string[]
  readonly isInterrupted: boolean
}

export function StateNode({ data }: NodeProps<Node<StateData>>) {
  const { name, kind, note, visits, refusals, isCurrent, isChosen, isInterrupted, change } = data
  const tools = useContext(DrawingContext)
  const isState = kind !== 'anywhere' && tools !== null
  const looks = [
    'state',
    kind,
    isCurrent ? 'is-current' : '',
    isChosen ? 'is-chosen' : '',
    data.standing > 0 ? 'is-standing' : '',
    visits > 0 ? 'is-visited' : '',
    isInterrupted ? 'is-interrupted' : '',
    refusals > 0 ? `heat-${heatOf(refusals)}` : '',
    change === undefined
      ? ''
      : change.stricter > 0
        ? `heat-${heatOf(change.stricter)}`
        : 'is-looser',
  ]
  return (
    <div className={looks.join(' ')} title={plainText(note, 300)}>
      <Handle type="target" position={Position.Left} />
      {isState && tools.renaming === name ? (
        <NameField
          label="Name of the state"
          value={name}
          onDone={(to) => {
            tools.setRenaming(null)
            if (to !== null && to !== name) tools.drawing.onRename(name, to)
            tools.focusState(to ?? name)
          }}
        />
      ) : (
        <Words data={data} />
      )}
      {visits > 1 ? <span className="state-visits">{visits}×</span> : null}
      <Counts data={data} />
      {change === undefined ? null : <Change change={change} />}
      <Handle type="source" position={Position.Right} />
      {isState ? <StateTools name={name} kind={kind} isChosen={isChosen} tools={tools} /> : null}
    </div>
  )
}

/** How many calls and moves were stopped here, and how many passed that would have been. */
function Counts({ data: { refusals, passed } }: { readonly data: StateData }) {
  return (
    <>
      {refusals > 0 ? (
        <span className="state-refusals" title={`${refusals} denied or refused here`}>
          {refusals} <span className="state-refusals-word">denied</span>
        </span>
      ) : null}
      {passed > 0 ? (
        <span className="state-passed" title={`${passed} passed that would have been stopped here`}>
          {passed} passed
        </span>
      ) : null}
    </>
  )
}

/** What tried rules would have done here. */
function Change({ change: { stricter, looser } }: { readonly change: StateChange }) {
  return (
    <span className={stricter > 0 ? 'state-refusals' : 'state-refusals is-looser'}>
      {stricter > 0 ? `${stricter} more stopped` : ''}
      {stricter > 0 && looser > 0 ? ', ' : ''}
      {looser > 0 ? `${looser} fewer` : ''}
    </span>
  )
}

function Words({ data }: { readonly data: StateData }) {
  const { name, kind, note, isCurrent, standing, lanes, isInterrupted } = data
  const isPlain = !isCurrent && !isInterrupted && standing === 0 && kind !== 'anywhere'
  return (
    <>
      <span className="state-name clip">
        {kind === 'initial' ? <Mark name="running" /> : null}
        {kind === 'anywhere' ? 'any state' : plainText(name, 60)}
        {kind === 'final' ? <Mark name="stopped" /> : null}
      </span>
      <span className="state-note clip">
        {isCurrent ? <strong>here</strong> : null}
        {standing > 0 ? <strong className="state-standing">{count(standing, 'run')}</strong> : null}
        {lanes.map((lane) => (
          <span key={lane}>
            {' '}
            <Mark name="branch" /> {plainText(lane, 20)}
          </span>
        ))}
        {isInterrupted ? (
          <strong>
            <Mark name="interrupt" /> interrupted
          </strong>
        ) : null}
        {isPlain ? plainText(note, 60) : null}
      </span>
    </>
  )
}

/** What can be done with a state in the picture: the chosen one shows it all. */
function StateTools(props: {
  readonly name: string
  readonly kind: StateData['kind']
  readonly isChosen: boolean
  readonly tools: DrawingTools
}) {
  const { name, kind, isChosen, tools } = props
  const { drawing, setRenaming, startWire, renaming } = tools
  const { onFinal, onFork, onRemove } = drawing
  const isFinal = kind === 'final'
  return (
    <>
      {isFinal ? null : (
        <button
          type="button"
          tabIndex={-1}
          className="connector nopan nodrag"
          aria-label={`Connect ${name}`}
          title="Drag to another state, or to an empty spot for a new one"
          onPointerDown={(event) => {
            event.preventDefault()
            startWire({ at: { x: event.clientX, y: event.clientY }, from: { state: name } })
          }}
        >
          <Plus aria-hidden="true" />
        </button>
      )}
      <NodeToolbar isVisible={isChosen && renaming === null} position={Position.Top} offset={8}>
        <div className="state-tools" role="toolbar" aria-label={`State ${name}`}>
          <Tool word="Rename" Icon={Pencil} onClick={() => setRenaming(name)} />
          {onFinal === undefined ? null : (
            <Tool
              word="Final"
              Icon={CircleStop}
              isOn={isFinal}
              onClick={() => onFinal(name, !isFinal)}
            />
          )}
          {isFinal || onFork === undefined ? null : (
            <Tool word="Fork" Icon={GitFork} onClick={() => onFork(name)} />
          )}
          <Tool word="Delete" Icon={Trash2} onClick={() => onRemove(name)} />
        </div>
      </NodeToolbar>
    </>
  )
}

function Tool(props: {
  readonly word: string
  readonly Icon: LucideIcon
  readonly isOn?: boolean
  readonly onClick: () => void
}) {
  const { word, Icon, isOn, onClick } = props
  return (
    <button
      type="button"
      aria-label={word}
      title={word}
      {...(isOn === undefined ? {} : { 'aria-pressed': isOn })}
      onClick={onClick}
    >
      <Icon aria-hidden="true" className="icon" />
    </button>
  )
}

/** Three steps of warmth: once, some times, again and again. */
function heatOf(refusals: number): 1 | 2 | 3 {
  if (refusals >= 6) return 3
  return refusals >= 2 ? 2 : 1
}

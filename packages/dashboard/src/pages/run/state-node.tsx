import { Handle, type Node, type NodeProps, Position } from '@xyflow/react'
import { plainText } from '../../model/plain-text.ts'

export type StateData = {
  readonly name: string
  readonly kind: 'plain' | 'initial' | 'final' | 'anywhere'
  readonly note: string
  readonly visits: number
  readonly isCurrent: boolean
  readonly isChosen: boolean
  /** The branches that stand here. */
  readonly lanes: readonly string[]
  readonly isInterrupted: boolean
}

export function StateNode({ data }: NodeProps<Node<StateData>>) {
  const { name, kind, note, visits, isCurrent, isChosen, lanes, isInterrupted } = data
  const looks = [
    'state',
    kind,
    isCurrent ? 'is-current' : '',
    isChosen ? 'is-chosen' : '',
    visits > 0 ? 'is-visited' : '',
    isInterrupted ? 'is-interrupted' : '',
  ]
  return (
    <div className={looks.join(' ')} title={plainText(note, 300)}>
      <Handle type="target" position={Position.Left} />
      <span className="state-name clip">
        {kind === 'initial' ? <span aria-hidden="true">▸ </span> : null}
        {kind === 'anywhere' ? 'any state' : plainText(name, 60)}
        {kind === 'final' ? <span aria-hidden="true"> ■</span> : null}
      </span>
      <span className="state-note clip">
        {isCurrent ? <strong>here</strong> : null}
        {lanes.map((lane) => (
          <span key={lane}> ∥ {plainText(lane, 20)}</span>
        ))}
        {isInterrupted ? <strong>↯ interrupted</strong> : null}
        {!isCurrent && !isInterrupted && kind !== 'anywhere' ? plainText(note, 60) : null}
      </span>
      {visits > 1 ? <span className="state-visits">{visits}×</span> : null}
      <Handle type="source" position={Position.Right} />
    </div>
  )
}

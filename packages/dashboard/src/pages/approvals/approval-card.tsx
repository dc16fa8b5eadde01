import type { Approval, RunLine } from '@statewright/core/wire'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { memo, useEffect, useRef } from 'react'
import { runQuery } from '../../api/resources/queries.ts'
import { inputGist } from '../../model/sessions/session-lines.ts'
import { headlineOf } from '../../model/words/call-arguments.ts'
import { plainText } from '../../model/words/plain-text.ts'
import { shortId } from '../../model/words/words.ts'
import { Foreign } from '../../ui/values/foreign-text.tsx'
import { Mark } from '../../ui/values/mark.tsx'
import { DangerBadge } from '../../ui/values/status-badge.tsx'
import { Ago, Left } from '../../ui/values/when.tsx'
import { ApprovalFacts } from './approval-facts.tsx'

interface CardProps {
  readonly approval: Approval
  /** The run as lists know it; all of it is asked for by the open card alone. */
  readonly row: RunLine | undefined
  readonly isChosen: boolean
  /** Others that ask for exactly the same. */
  readonly equals: number
  readonly onDecideAll: () => void
  readonly onChoose: () => void
  readonly onDecide: (verdict: 'approve' | 'reject', always?: boolean) => void
}

/** A closed card changes only with what it shows: of hundreds, a step draws two again. */
export const ApprovalCard = memo(OneCard, (before, after) => {
  if (before.isChosen || after.isChosen) return false
  return before.approval === after.approval && before.row === after.row
})

function OneCard(props: CardProps) {
  const { approval, row, isChosen, onChoose } = props
  const run = useQuery({ ...runQuery(approval.run_id), enabled: isChosen }).data
  const card = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isChosen) card.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  return (
    <li ref={card} className={isChosen ? 'panel inbox-card is-chosen' : 'panel inbox-card'}>
      <button type="button" className="inbox-head" aria-expanded={isChosen} onClick={onChoose}>
        <span className="inbox-title">
          <strong>
            <Foreign text={headlineOf(approval)} max={120} />
          </strong>
          {isChosen ? null : <code className="clip inbox-gist">{inputGist(approval.input)}</code>}
          {isChosen ? <DangerBadge level={run?.meta.danger_level} /> : null}
          {approval.expires_at === undefined ? null : (
            <span className="badge wait">
              <Mark name="waiting" /> <Left until={approval.expires_at} />
            </span>
          )}
        </span>
        <span className="soft">
          <Foreign text={approval.message} max={isChosen ? 20_000 : 160} />
        </span>
        <span className="soft small-text">
          {[approval.agent, row?.workflow, row?.project, shortId(approval.run_id)]
            .filter((one) => one !== undefined && one !== null)
            .map((one) => plainText(one ?? '', 60))
            .join(' · ')}{' '}
          · asked <Ago at={approval.opened_at} />
        </span>
      </button>
      {isChosen ? (
        <div className="body stack">
          <ApprovalFacts approval={approval} run={run} row={row} />
          <CardActions {...props} />
        </div>
      ) : null}
    </li>
  )
}

function CardActions({ approval, equals, onDecide, onDecideAll }: CardProps) {
  return (
    <div className="row inbox-actions">
      <button type="button" className="button primary" onClick={() => onDecide('approve')}>
        Approve <kbd>a</kbd>
      </button>
      <button type="button" className="button danger" onClick={() => onDecide('reject')}>
        Reject <kbd>r</kbd>
      </button>
      {approval.kind === 'ask' ? (
        <button type="button" className="button" onClick={() => onDecide('approve', true)}>
          Allow from now on… <kbd>l</kbd>
        </button>
      ) : null}
      {equals === 0 ? null : (
        <button type="button" className="button" onClick={onDecideAll}>
          Approve all {equals + 1} equal ones
        </button>
      )}
      <Link to="/runs/$runId" params={{ runId: approval.run_id }} className="button quiet">
        Open the run
      </Link>
    </div>
  )
}

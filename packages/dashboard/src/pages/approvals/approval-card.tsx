import type { Approval } from '@statewright/core/wire'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { runQuery } from '../../api/queries.ts'
import { headlineOf } from '../../model/call-arguments.ts'
import { shortId } from '../../model/words.ts'
import { Foreign } from '../../ui/foreign-text.tsx'
import { DangerBadge } from '../../ui/status-badge.tsx'
import { Ago, Left } from '../../ui/when.tsx'
import { ApprovalFacts } from './approval-facts.tsx'

export function ApprovalCard(props: {
  readonly approval: Approval
  readonly isChosen: boolean
  readonly onChoose: () => void
  readonly onDecide: (verdict: 'approve' | 'reject', always?: boolean) => void
}) {
  const { approval, isChosen, onChoose, onDecide } = props
  const run = useQuery(runQuery(approval.run_id)).data
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
          <DangerBadge level={run?.meta.danger_level} />
          {approval.expires_at === undefined ? null : (
            <span className="badge wait">
              ◷ <Left until={approval.expires_at} />
            </span>
          )}
        </span>
        <span className="soft">
          <Foreign text={approval.message} max={isChosen ? 20_000 : 160} />
        </span>
        <span className="soft small-text">
          <Foreign text={run?.workflow ?? ''} max={60} /> · {shortId(approval.run_id)} · asked{' '}
          <Ago at={approval.opened_at} />
        </span>
      </button>
      {isChosen ? (
        <div className="body stack">
          <ApprovalFacts approval={approval} run={run} />
          <div className="row inbox-actions">
            <button type="button" className="button primary" onClick={() => onDecide('approve')}>
              Approve <kbd>a</kbd>
            </button>
            <button type="button" className="button danger" onClick={() => onDecide('reject')}>
              Reject <kbd>r</kbd>
            </button>
            {approval.kind === 'ask' ? (
              <button type="button" className="button" onClick={() => onDecide('approve', true)}>
                Always for this run <kbd>l</kbd>
              </button>
            ) : null}
            <Link to="/runs/$runId" params={{ runId: approval.run_id }} className="button quiet">
              Open the run
            </Link>
          </div>
        </div>
      ) : null}
    </li>
  )
}

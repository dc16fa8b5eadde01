import type { Approval } from '@statewright/core/wire'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { waitingQuery } from '../../api/resources/queries.ts'
import { inputGist } from '../../model/sessions/session-lines.ts'
import { headlineOf } from '../../model/words/call-arguments.ts'
import { Foreign } from '../../ui/values/foreign-text.tsx'
import type { VerdictRequest } from './verdict-dialog.tsx'
import './approvals.css'

const VerdictDialog = lazy(async () => ({
  default: (await import('./verdict-dialog.tsx')).VerdictDialog,
}))

/** What a run waits for, decided right where the run is looked at. */
export function RunQuestions({ runId }: { readonly runId: string }) {
  const waiting = useQuery(waitingQuery).data ?? []
  const [request, setRequest] = useState<VerdictRequest | null>(null)
  return (
    <>
      {waiting
        .filter(({ run_id }) => run_id === runId)
        .map((approval) => (
          <Question
            key={approval.approval_id}
            approval={approval}
            onDecide={(verdict, always = false) => setRequest({ approval, verdict, always })}
          />
        ))}
      {request === null ? null : (
        <Suspense fallback={null}>
          <VerdictDialog request={request} onClose={() => setRequest(null)} />
        </Suspense>
      )}
    </>
  )
}

function Question(props: {
  readonly approval: Approval
  readonly onDecide: (verdict: VerdictRequest['verdict'], always?: boolean) => void
}) {
  const { approval, onDecide } = props
  return (
    <section className="note wait row spread" aria-label="Waiting for you">
      <span className="stack run-question">
        <strong>
          Waiting for you: <Foreign text={headlineOf(approval)} max={120} />
        </strong>
        <code className="clip">{inputGist(approval.input)}</code>
        <span className="small-text">
          <Foreign text={approval.message} max={300} />{' '}
          <Link to="/" search={{ approval: approval.approval_id }}>
            All about it
          </Link>
        </span>
      </span>
      <span className="row">
        <button type="button" className="button primary" onClick={() => onDecide('approve')}>
          Approve
        </button>
        <button type="button" className="button danger" onClick={() => onDecide('reject')}>
          Reject
        </button>
        {approval.kind === 'ask' ? (
          <button type="button" className="button" onClick={() => onDecide('approve', true)}>
            From now on…
          </button>
        ) : null}
      </span>
    </section>
  )
}

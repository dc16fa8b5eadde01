import type { Approval } from '@statewright/core/wire'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { answeredQuery } from '../../api/resources/queries.ts'
import { inputGist } from '../../model/sessions/session-lines.ts'
import { headlineOf } from '../../model/words/call-arguments.ts'
import { Foreign } from '../../ui/values/foreign-text.tsx'
import { Mark } from '../../ui/values/mark.tsx'
import { Ago } from '../../ui/values/when.tsx'

/** What was decided, by whom and when, the newest first. */
export function RecentVerdicts() {
  const done = useQuery(answeredQuery).data ?? []
  if (done.length === 0) return null
  return (
    <section className="panel">
      <header>
        <h2>Recent decisions</h2>
      </header>
      <ul className="verdicts">
        {done.map((approval) => (
          <li key={approval.approval_id}>
            <Verdict status={approval.status} />
            <span className="verdict-what">
              <Link to="/runs/$runId" params={{ runId: approval.run_id }}>
                <Foreign text={headlineOf(approval)} max={80} />
              </Link>{' '}
              <code className="soft foreign">{inputGist(approval.input)}</code>
            </span>
            <span className="soft verdict-note">
              <Foreign text={approval.note ?? ''} max={200} />
            </span>
            <span className="soft small-text verdict-who">
              {approval.resolved_by ? (
                <>
                  <Foreign text={approval.resolved_by} max={40} />
                  {' · '}
                </>
              ) : null}
              {approval.resolved_at === undefined ? null : <Ago at={approval.resolved_at} />}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Verdict({ status }: { readonly status: Approval['status'] }) {
  const isGood = status === 'approved'
  const tone = isGood ? 'good' : status === 'rejected' ? 'bad' : 'plain'
  // Nobody said no to what was not answered in time.
  const mark = isGood ? 'done' : status === 'rejected' ? 'no' : 'waiting'
  return (
    <span className={`badge ${tone}`}>
      <Mark name={mark} /> {status}
    </span>
  )
}

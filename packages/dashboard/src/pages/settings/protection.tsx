import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ask } from '../../api/client.ts'
import { type ApiProblem, problemOf } from '../../api/problem.ts'
import { configQuery } from '../../api/queries.ts'
import { trustQuery } from '../../api/trust.ts'
import { plainValue } from '../../model/plain-text.ts'
import { Foreign } from '../../ui/foreign-text.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { useStepUp } from '../../ui/step-up.tsx'
import { toast } from '../../ui/toasts.tsx'

/** How far the server can be relied on, and the change of its rules that waits for a person. */
export function Protection() {
  const trust = useQuery(trustQuery).data
  if (trust === undefined || trust === null) return null
  return (
    <section className="panel">
      <header>
        <h2>Protection</h2>
      </header>
      <dl className="body facts">
        <dt>Mode</dt>
        <dd>
          {trust.mode === 'enforce'
            ? 'enforce: what the rules deny is denied'
            : `observe: nothing is denied; ${trust.would_have_denied ?? 0} calls would have been`}
        </dd>
        <dt>Level</dt>
        <dd>
          {trust.level}: {trust.sentence}
        </dd>
        <dt>Strict</dt>
        <dd>{trust.strict ? 'yes: no active run means no tools' : 'no'}</dd>
        <dt>Unjudged calls</dt>
        <dd>
          {trust.unjudged.count}
          {trust.unjudged.last === null ? null : (
            <>
              , last: <Foreign text={trust.unjudged.last.text} />
            </>
          )}
        </dd>
        <dt>Enforcement gap</dt>
        <dd>
          {trust.enforcement_gap_until === null
            ? 'none'
            : `the server was dead until ${new Date(trust.enforcement_gap_until).toLocaleString()}`}
        </dd>
        <dt>Clients seen</dt>
        <dd>
          {trust.clients.length === 0 ? 'none yet' : null}
          {trust.clients.map((one) => (
            <div key={one.client}>
              <Foreign text={one.client} most={60} /> · {one.hooks} hooks · {one.sessions} sessions
            </div>
          ))}
        </dd>
      </dl>
    </section>
  )
}

/** A changed configuration does not count while guarded runs are live, until somebody accepts. */
export function WaitingConfig() {
  const waiting = useQuery(configQuery).data?.waiting ?? null
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const stepUp = useStepUp()
  const client = useQueryClient()
  if (waiting === null) return null
  const accept = async () => {
    try {
      const body = { hash: waiting.hash }
      await stepUp((pin) => ask('POST', '/api/config/accept', { body, pin }))
      toast('good', 'The change counts now')
      await client.invalidateQueries()
    } catch (fault) {
      setProblem(problemOf(fault))
    }
  }
  return (
    <section className="panel">
      <header>
        <h2>A change of the configuration waits</h2>
        <button type="button" className="button primary" onClick={() => void accept()}>
          Accept
        </button>
      </header>
      <dl className="body facts">
        {waiting.changes.map(({ key, from, to }) => (
          <div key={key} className="context-field">
            <dt>{key}</dt>
            <dd>
              <del>{plainValue(from ?? 'nothing', 300)}</del> → {plainValue(to ?? 'nothing', 300)}
            </dd>
          </div>
        ))}
      </dl>
      {problem === null ? null : <ProblemNote problem={problem} />}
    </section>
  )
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ask } from '../../api/client.ts'
import { type ApiProblem, problemOf } from '../../api/problem.ts'
import { configQuery } from '../../api/queries.ts'
import { plainValue } from '../../model/plain-text.ts'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { useStepUp } from '../../ui/step-up.tsx'
import { toast } from '../../ui/toasts.tsx'

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

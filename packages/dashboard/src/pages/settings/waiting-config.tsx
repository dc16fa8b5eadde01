import { type Config, endpoints } from '@statewright/core/wire'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { type ApiProblem, problemOf } from '../../api/problem.ts'
import { configQuery } from '../../api/settings.ts'
import { plainText, plainValue } from '../../model/plain-text.ts'
import { waitingKind } from '../../model/waiting-change.ts'
import { Modal } from '../../ui/dialog.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { toast } from '../../ui/toasts.tsx'

type Waiting = NonNullable<Config['waiting']>

/** What loosens, starts programs or meets live runs does not count until somebody accepts. */
export function WaitingConfig() {
  const waiting = useQuery(configQuery).data?.waiting ?? null
  const [isAsked, setAsked] = useState(false)
  if (waiting === null) return null
  return (
    <section className="panel" aria-label="A change of the configuration waits">
      <header>
        <h2>A change of the configuration waits</h2>
        <button type="button" className="button" onClick={() => setAsked(true)}>
          Accept…
        </button>
      </header>
      <div className="body">
        <Changes waiting={waiting} />
      </div>
      {isAsked ? <AcceptDialog waiting={waiting} onClose={() => setAsked(false)} /> : null}
    </section>
  )
}

function Changes({ waiting }: { readonly waiting: Waiting }) {
  return (
    <dl className="facts">
      {waiting.changes.map(({ key, from, to, loosens }) => (
        <div key={key} className="context-field">
          <dt>{key}</dt>
          <dd>
            <del>{plainValue(from ?? 'nothing', 300)}</del> → {plainValue(to ?? 'nothing', 300)}
            {loosens === null ? null : <p className="bad">▲ {plainText(loosens)}</p>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const acceptWords = {
  programs:
    'The server starts, calls and offers this from now on. It takes a proof that you are there.',
  looser:
    'This takes protection away, from the very next call on. It takes a proof that you are there.',
  other: 'It is in effect from the very next call on.',
} as const

function AcceptDialog(props: { readonly waiting: Waiting; readonly onClose: () => void }) {
  const { waiting, onClose } = props
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const [isBusy, setBusy] = useState(false)
  const client = useQueryClient()
  const kind = waitingKind(waiting.changes)
  const accept = async () => {
    setBusy(true)
    try {
      await call(endpoints.acceptConfig, { body: { hash: waiting.hash } })
      await client.invalidateQueries()
      toast('good', 'The change is in effect')
      onClose()
    } catch (fault) {
      setProblem(problemOf(fault))
      setBusy(false)
    }
  }
  return (
    <Modal isOpen onClose={onClose} title="Accept the change" description={acceptWords[kind]}>
      <Changes waiting={waiting} />
      {problem === null ? null : <ProblemNote problem={problem} />}
      <div className="actions">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          className={kind === 'other' ? 'button primary' : 'button danger'}
          disabled={isBusy}
          onClick={() => void accept()}
        >
          Accept the change
        </button>
      </div>
    </Modal>
  )
}

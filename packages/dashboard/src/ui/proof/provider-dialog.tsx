import type { Proof, ProofTicket } from '@statewright/core/wire'
import { useEffect, useRef, useState } from 'react'
import { type ApiProblem, problemOf } from '../../api/client/problem.ts'
import { askForTicket, awaitProof } from '../../api/proof/proof-ticket.ts'
import { Modal } from '../dialogs/dialog.tsx'
import { ProblemNote } from '../page/problem-note.tsx'
import { whyProof } from './pin-dialog.tsx'

/**
 * Asks for a fresh login at the identity provider, in another tab: what was typed here stays, and
 * goes on by itself once the person is back.
 */
export function ProviderDialog({
  provider,
  onAnswer,
}: {
  readonly provider: string
  readonly onAnswer: (proof: Proof | null) => void
}) {
  const [ticket, setTicket] = useState<ProofTicket | null>(null)
  const [isAway, setAway] = useState(false)
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const go = useRef<HTMLButtonElement>(null)
  const answer = useRef(onAnswer)
  answer.current = onAnswer
  useEffect(() => {
    if (ticket !== null || problem !== null) return
    askForTicket().then(setTicket, (fault) => setProblem(problemOf(fault)))
  }, [ticket, problem])
  useEffect(() => {
    if (ticket === null || !isAway) return
    const gone = new AbortController()
    awaitProof(ticket, gone.signal).then(
      (proof) => answer.current(proof),
      (fault) => {
        if (gone.signal.aborted) return
        setProblem(problemOf(fault))
        setAway(false)
      },
    )
    return () => gone.abort()
  }, [ticket, isAway])
  const again = () => {
    setProblem(null)
    setTicket(null)
  }
  const giveUp = () => onAnswer(null)
  return (
    <Modal
      isOpen
      onClose={giveUp}
      title={`Log in again with ${provider}`}
      description={whyProof}
      focusFirst={go}
    >
      {isAway ? (
        <p role="status">Log in in the other tab and come back: this page continues by itself.</p>
      ) : null}
      {problem === null ? null : <ProblemNote problem={problem} />}
      <form
        className="actions"
        method="post"
        action="/oidc/prove"
        target="_blank"
        onSubmit={() => setAway(true)}
        rel="noopener"
      >
        <input type="hidden" name="ticket" value={ticket?.ticket ?? ''} />
        <button type="button" className="button" onClick={giveUp}>
          Cancel
        </button>
        {problem === null ? (
          <button ref={go} type="submit" className="button primary" disabled={ticket === null}>
            {isAway ? 'Open it again' : `Log in with ${provider}`}
          </button>
        ) : (
          <button type="button" className="button primary" onClick={again}>
            Try again
          </button>
        )}
      </form>
    </Modal>
  )
}

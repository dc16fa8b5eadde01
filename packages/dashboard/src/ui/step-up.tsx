import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { ask } from '../api/client.ts'
import { type ApiProblem, problemOf } from '../api/problem.ts'
import { type Proof, setProver } from '../api/proof.ts'
import { Modal } from './dialog.tsx'
import { ProblemNote } from './problem-note.tsx'

interface Asked {
  readonly hasPin: boolean
  readonly answer: (proof: Proof | null) => void
}

/** Asks the person for the PIN whenever the server wants to know that they are there. */
export function StepUpProvider({ children }: { readonly children: ReactNode }) {
  const [asked, setAsked] = useState<Asked | null>(null)
  useEffect(() => {
    setProver(
      (problem) =>
        new Promise((resolve) => {
          const answer = (proof: Proof | null) => {
            setAsked(null)
            resolve(proof)
          }
          setAsked({ hasPin: problem.next?.includes('/api/proof') === true, answer })
        }),
    )
    return () => setProver(null)
  }, [])
  return (
    <>
      {children}
      {asked === null ? null : asked.hasPin ? <PinDialog asked={asked} /> : <NoPin asked={asked} />}
    </>
  )
}

function PinDialog({ asked }: { readonly asked: Asked }) {
  const [pin, setPin] = useState('')
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const [isBusy, setBusy] = useState(false)
  const giveUp = () => asked.answer(null)
  const send = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      asked.answer(await ask<Proof>('POST', '/api/proof', { body: { pin } }))
    } catch (fault) {
      setProblem(problemOf(fault))
      setPin('')
      setBusy(false)
    }
  }
  const description =
    'This lets an agent go on or changes what holds, so that it takes more than an open browser. ' +
    'You will not be asked again for ten minutes.'
  return (
    <Modal isOpen onClose={giveUp} title="Your PIN" description={description}>
      <form className="stack" onSubmit={send}>
        <label className="field">
          <span>PIN</span>
          <input
            type="password"
            autoComplete="off"
            value={pin}
            onChange={(event) => setPin(event.target.value)}
          />
        </label>
        {problem === null ? null : <ProblemNote problem={problem} />}
        <div className="actions">
          <button type="button" className="button" onClick={giveUp}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={pin === '' || isBusy}>
            Confirm
          </button>
        </div>
      </form>
    </Modal>
  )
}

/** Only a login link sets the first PIN: whoever has one stands at the terminal of the server. */
function NoPin({ asked }: { readonly asked: Asked }) {
  const close = () => asked.answer(null)
  return (
    <Modal isOpen onClose={close} title="You have no PIN yet">
      <p>
        Approving, and changing what is allowed, takes a PIN that no program on this machine knows.
        You choose it on the page of a login link:
      </p>
      <ol>
        <li>
          Run <code>statewright login --new-link</code> in the folder of the project: the terminal
          in which <code>statewright up</code> runs shows a new link.
        </li>
        <li>Open it in this browser, choose a PIN, and do this again.</li>
      </ol>
      <div className="actions">
        <button type="button" className="button primary" onClick={close}>
          Close
        </button>
      </div>
    </Modal>
  )
}

import { endpoints, type Proof } from '@statewright/core/wire'
import { type FormEvent, useState } from 'react'
import { call } from '../../api/client/client.ts'
import { type ApiProblem, problemOf } from '../../api/client/problem.ts'
import { Modal } from '../dialogs/dialog.tsx'
import { ProblemNote } from '../page/problem-note.tsx'

export const whyProof =
  'This lets an agent go on or changes the rules, so it takes more than an open browser. ' +
  'You will not be asked again for ten minutes.'

export function PinDialog({ onAnswer }: { readonly onAnswer: (proof: Proof | null) => void }) {
  const [pin, setPin] = useState('')
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const [isBusy, setBusy] = useState(false)
  const giveUp = () => onAnswer(null)
  const send = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      onAnswer(await call(endpoints.proveByPin, { body: { pin } }))
    } catch (fault) {
      setProblem(problemOf(fault))
      setPin('')
      setBusy(false)
    }
  }
  return (
    <Modal isOpen onClose={giveUp} title="Your PIN" description={whyProof}>
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

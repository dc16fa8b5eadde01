import { createContext, type FormEvent, type ReactNode, useContext, useState } from 'react'
import { ask } from '../api/client.ts'
import { type ApiProblem, problemOf } from '../api/problem.ts'
import { Modal } from './dialog.tsx'
import { ProblemNote } from './problem-note.tsx'

/** Something to do as a person; it is given the PIN when the server asked for one. */
type Act<T> = (pin: string | undefined) => Promise<T>

interface Waiting {
  readonly again: (pin: string) => Promise<void>
  readonly giveUp: () => void
  readonly isNew: boolean
}

const StepUp = createContext<<T>(act: Act<T>) => Promise<T>>((act) => act(undefined))

/** Does it; where the server wants the PIN, asks the person and does it again. */
export function useStepUp(): <T>(act: Act<T>) => Promise<T> {
  return useContext(StepUp)
}

export function StepUpProvider({ children }: { readonly children: ReactNode }) {
  const [waiting, setWaiting] = useState<Waiting | null>(null)

  const perform = async <T,>(act: Act<T>): Promise<T> => {
    try {
      return await act(undefined)
    } catch (fault) {
      const problem = problemOf(fault)
      if (problem.code !== 'step_up_required') throw fault
      return new Promise<T>((resolve, reject) => {
        setWaiting({
          isNew: problem.next?.includes('set a PIN') === true,
          giveUp: () => {
            setWaiting(null)
            reject(fault)
          },
          // A wrong PIN throws, and the dialog stays; anything else ends it.
          again: async (pin) => {
            try {
              resolve(await act(pin))
            } catch (second) {
              if (problemOf(second).code === 'pin_wrong') throw second
              reject(second)
            }
            setWaiting(null)
          },
        })
      })
    }
  }

  return (
    <StepUp.Provider value={perform}>
      {children}
      {waiting === null ? null : <PinDialog waiting={waiting} />}
    </StepUp.Provider>
  )
}

function PinDialog({ waiting }: { readonly waiting: Waiting }) {
  const [pin, setPin] = useState('')
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const [isBusy, setBusy] = useState(false)
  const send = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      if (waiting.isNew) await ask('PUT', '/api/pin', { body: { pin } })
      await waiting.again(pin)
    } catch (fault) {
      setProblem(problemOf(fault))
      setPin('')
    }
    setBusy(false)
  }
  const title = waiting.isNew ? 'Choose a PIN' : 'Your PIN'
  const description = waiting.isNew
    ? 'What is dangerous asks for a PIN that no program on this machine knows. Choose one now.'
    : 'This is dangerous by the word of its author, so it takes more than an open browser.'
  return (
    <Modal isOpen onClose={waiting.giveUp} title={title} description={description}>
      <form className="stack" onSubmit={send}>
        <label className="field">
          <span>PIN</span>
          <input
            type="password"
            autoComplete="off"
            inputMode="numeric"
            value={pin}
            onChange={(event) => setPin(event.target.value)}
          />
        </label>
        {problem === null ? null : <ProblemNote problem={problem} />}
        <div className="actions">
          <button type="button" className="button" onClick={waiting.giveUp}>
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

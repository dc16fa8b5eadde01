import { endpoints, pinLength } from '@statewright/core/wire'
import { type FormEvent, useState } from 'react'
import { call } from '../../api/client/client.ts'
import { type ApiProblem, problemOf } from '../../api/client/problem.ts'
import { toast } from '../../ui/dialogs/toasts.tsx'
import { ProblemNote } from '../../ui/page/problem-note.tsx'

const empty = { pin: '', again: '' }

/** Another PIN for the person who looks: it takes a proof, as everything does that loosens. */
export function PinForm() {
  const [typed, setTyped] = useState(empty)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const isDifferent = typed.again !== '' && typed.again !== typed.pin
  const send = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setProblem(null)
    try {
      await call(endpoints.setPin, { body: { pin: typed.pin } })
      setTyped(empty)
      toast('good', 'The PIN was changed')
    } catch (fault) {
      setProblem(problemOf(fault))
    }
    setBusy(false)
  }
  return (
    <section className="panel" aria-labelledby="pin-title">
      <header>
        <h2 id="pin-title">PIN</h2>
      </header>
      <form className="body stack narrow-fields" onSubmit={(event) => void send(event)}>
        <p className="soft">
          Six characters or more. You confirm with your passkey or your current PIN first. If you
          have no PIN or forgot it, choose one on the page of a login link.
        </p>
        <PinField
          label="New PIN"
          value={typed.pin}
          onChange={(pin) => setTyped({ ...typed, pin })}
        />
        <PinField
          label="New PIN, once more"
          value={typed.again}
          onChange={(again) => setTyped({ ...typed, again })}
        />
        {isDifferent ? <p role="status">The two PINs are different.</p> : null}
        <div className="row">
          <button
            type="submit"
            className="button"
            disabled={isBusy || typed.pin.length < pinLength.min || typed.again !== typed.pin}
          >
            Change the PIN
          </button>
        </div>
        {problem === null ? null : <ProblemNote problem={problem} />}
      </form>
    </section>
  )
}

function PinField(props: {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}) {
  const { label, value, onChange } = props
  return (
    <label className="field">
      <span>{label}</span>
      <input
        type="password"
        autoComplete="new-password"
        maxLength={pinLength.max}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  )
}

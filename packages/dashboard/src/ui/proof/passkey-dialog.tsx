import type { Proof } from '@statewright/core/wire'
import { useRef, useState } from 'react'
import { type ApiProblem, problemOf } from '../../api/client/problem.ts'
import { hasPasskeys, namedAddress, proveByPasskey } from '../../api/proof/passkeys.ts'
import { Modal } from '../dialogs/dialog.tsx'
import { ProblemNote } from '../page/problem-note.tsx'
import { whyProof } from './pin-dialog.tsx'

/** Asks for the passkey by a button: browsers want a click before they ask the person. */
export function PasskeyDialog({
  onAnswer,
  onPin,
}: {
  readonly onAnswer: (proof: Proof | null) => void
  /** The other way, for who has a PIN as well. */
  readonly onPin: (() => void) | undefined
}) {
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const [isBusy, setBusy] = useState(false)
  const use = useRef<HTMLButtonElement>(null)
  const giveUp = () => onAnswer(null)
  const prove = async () => {
    setBusy(true)
    setProblem(null)
    try {
      onAnswer(await proveByPasskey())
    } catch (fault) {
      setProblem(problemOf(fault))
      setBusy(false)
    }
  }
  const isUsable = hasPasskeys()
  return (
    <Modal
      isOpen
      onClose={giveUp}
      title="Your passkey"
      description={whyProof}
      {...(isUsable ? { focusFirst: use } : {})}
    >
      {isUsable ? null : <NotHere />}
      {problem === null ? null : <ProblemNote problem={problem} />}
      <div className="actions">
        <button type="button" className="button" onClick={giveUp}>
          Cancel
        </button>
        {onPin === undefined ? null : (
          <button type="button" className="button" onClick={onPin}>
            Use the PIN
          </button>
        )}
        {isUsable ? (
          <button
            ref={use}
            type="button"
            className="button primary"
            disabled={isBusy}
            onClick={() => void prove()}
          >
            Use your passkey
          </button>
        ) : null}
      </div>
    </Modal>
  )
}

/** Why this page cannot use the passkey that the person has, and which could. */
export function NotHere() {
  const there = namedAddress()
  if (there === undefined) return <p>This browser has no passkeys for this address.</p>
  return (
    <p>
      Passkeys need a host name, not an IP address: open the dashboard at{' '}
      <a href={there}>{new URL(there).host}</a>, with a login link.
    </p>
  )
}

import type { Proof } from '@statewright/core/wire'
import { useState } from 'react'
import { hasPasskeys } from '../../api/proof/passkeys.ts'
import { Modal } from '../dialogs/dialog.tsx'
import { PasskeyDialog } from './passkey-dialog.tsx'
import { PinDialog } from './pin-dialog.tsx'
import { ProviderDialog } from './provider-dialog.tsx'

export interface ProofPrompt {
  readonly hasPin: boolean
  readonly hasPasskey: boolean
  /** The identity provider, for its own people. */
  readonly provider: string | undefined
  readonly answer: (proof: Proof | null) => void
}

/** The passkey comes first, and the PIN is the other way. */
export function StepUp({ request }: { readonly request: ProofPrompt }) {
  const { hasPin, hasPasskey, provider, answer } = request
  const [isPinChosen, setPinChosen] = useState(hasPin && !(hasPasskey && hasPasskeys()))
  if (provider !== undefined) return <ProviderDialog provider={provider} onAnswer={answer} />
  if (isPinChosen) return <PinDialog onAnswer={answer} />
  if (!hasPasskey) return <NoFactor onClose={() => answer(null)} />
  return <PasskeyDialog onAnswer={answer} onPin={hasPin ? () => setPinChosen(true) : undefined} />
}

/** Only a login link sets the first: anyone who has one stands at the terminal of the server. */
function NoFactor({ onClose }: { readonly onClose: () => void }) {
  return (
    <Modal isOpen onClose={onClose} title="You have no passkey or PIN yet">
      <p>
        To approve, or to change what is allowed, you need a passkey or a PIN that no program on
        this machine knows. Choose it on the page of a login link:
      </p>
      <ol>
        <li>
          Run <code>statewright login --new-link</code> in the folder of the project: the terminal
          in which <code>statewright up</code> runs shows a new link.
        </li>
        <li>Open it in this browser, choose a passkey or a PIN, and try this again.</li>
      </ol>
      <div className="actions">
        <button type="button" className="button primary" onClick={onClose}>
          Close
        </button>
      </div>
    </Modal>
  )
}

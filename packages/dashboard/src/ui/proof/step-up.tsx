import type { Proof } from '@statewright/core/wire'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { setProver } from '../../api/client/proof.ts'
import type { ProofPrompt } from './step-up-dialog.tsx'

// Nobody is asked before they have read something: the dialogs come after the page.
const StepUp = lazy(async () => ({ default: (await import('./step-up-dialog.tsx')).StepUp }))

/** Asks for a passkey, the PIN or a fresh login when the server wants to know who is there. */
export function StepUpProvider({ children }: { readonly children: ReactNode }) {
  const [request, setRequest] = useState<ProofPrompt | null>(null)
  useEffect(() => {
    setProver(
      ({ factors = [], provider }) =>
        new Promise((resolve) => {
          const answer = (proof: Proof | null) => {
            setRequest(null)
            resolve(proof)
          }
          const has = (factor: string) => factors.includes(factor)
          const at = has('oidc') ? (provider ?? 'your provider') : undefined
          setRequest({ hasPin: has('pin'), hasPasskey: has('passkey'), provider: at, answer })
        }),
    )
    return () => setProver(null)
  }, [])
  return (
    <>
      {children}
      {request === null ? null : (
        <Suspense fallback={null}>
          <StepUp request={request} />
        </Suspense>
      )}
    </>
  )
}

import { endpoints, type Proof, type ProofTicket } from '@statewright/core/wire'
import { call } from '../client/client.ts'

/** What a fresh login at the identity provider is waited for with, in the memory of this page. */
export function askForTicket(): Promise<ProofTicket> {
  return call(endpoints.requestOidcProof, { body: {} })
}

/** Asks until the person has logged in; throws what the server said where that came to nothing. */
export async function awaitProof(
  { ticket, interval_s }: ProofTicket,
  signal: AbortSignal,
): Promise<Proof> {
  for (;;) {
    const answer = await call(endpoints.claimOidcProof, { body: { ticket }, signal })
    if ('proof' in answer) return answer
    await pause(interval_s * 1000, signal)
  }
}

/** Timers of a hidden page are slow; one that is looked at again asks at once. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    document.addEventListener('visibilitychange', end)
    signal.addEventListener('abort', end, { once: true })
  })
}

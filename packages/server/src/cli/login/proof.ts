import { err, ok, type Result } from '@statewright/core/internal'
import { endpoints, type Proof, pinLength } from '@statewright/core/wire'
import { type Client, factorsIn, type ServerProblem } from '../api/client.ts'
import { askHidden, hasTerminal } from '../ask.ts'
import { proofByProvider } from './provider-proof.ts'

/** Kept in this process alone: the person is asked once in ten minutes, not each time. */
const proofs = new Map<string, Proof>()

/** What is sent along where the person has just given the PIN. */
export function proofAtHand({ url }: Client): { proof?: string } {
  const proof = proofs.get(url)
  return proof === undefined || proof.expires_at <= Date.now() ? {} : { proof: proof.proof }
}

/** Anyone who has just chosen a PIN is not asked for it once more by the same command. */
export async function rememberProof(client: Client, pin: string): Promise<void> {
  const proven = await client.call(endpoints.proveByPin, { body: { pin } })
  if (proven.ok) proofs.set(client.url, proven.value)
}

/** Asks the person at the terminal; the refusal stands where nobody can be asked. */
export async function proofFor(
  client: Client,
  refusal: ServerProblem,
): Promise<Result<string, ServerProblem>> {
  proofs.delete(client.url)
  const factors = factorsIn(refusal.details)
  if (!hasTerminal()) return err(refusal)
  const proven = factors.includes('oidc')
    ? await proofByProvider(client)
    : await proofByPin(client, factors, refusal)
  if (!proven.ok) return proven
  proofs.set(client.url, proven.value)
  return ok(proven.value.proof)
}

/** A terminal has no passkeys, and asking for a PIN that was never chosen would lead nowhere. */
async function proofByPin(
  client: Client,
  factors: readonly unknown[],
  refusal: ServerProblem,
): Promise<Result<Proof, ServerProblem>> {
  if (!factors.includes('pin')) return err(refusal)
  const pin = await askHidden('Confirm with your PIN: ')
  if (pin === undefined) {
    const message = 'No PIN was typed. Nothing was changed.'
    return err({ ...refusal, message, next: 'try again and type your PIN.' })
  }
  return client.call(endpoints.proveByPin, { body: { pin } })
}

/** Asks twice, and again after a slip; undefined when nothing was typed. */
export async function chooseNewPin(question: string): Promise<string | undefined> {
  for (;;) {
    const pin = await askHidden(question)
    if (pin === undefined) return undefined
    if (pin.length < pinLength.min) tell('A PIN has six characters or more. Try again.')
    else if ((await askHidden('Once more: ')) === pin) return pin
    else tell('The two PINs are different. Try again.')
  }
}

function tell(slip: string): void {
  process.stderr.write(`${slip}\n`)
}

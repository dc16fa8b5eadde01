import type { Verb } from '../../store/store.ts'
import { testPersonMark } from '../auth/auth.ts'
import { json, type Reply, refuse } from './reply.ts'
import type { Call, Identity } from './route.ts'

export const proofHeader = 'x-statewright-proof'

type Asking = Pick<Call<unknown, unknown>, 'parts' | 'identity' | 'request'>

/**
 * Asks a person for more than their login, which may lie on a disk: that they proved within the
 * last ten minutes to be there (PE-2). Undefined means go on.
 */
export async function demandProof(
  { parts, identity, request }: Asking,
  verb: Verb,
): Promise<Reply | undefined> {
  const { token, caller } = identity
  if (caller.kind !== 'person' || token.createdBy === testPersonMark) return undefined
  if (token.verbs !== null) return token.verbs.includes(verb) ? undefined : notNamed(verb)
  const { auth } = parts
  const proof = request.headers.get(proofHeader)
  if (proof !== null && (await auth.tokens.isProof(proof, token.tokenId))) return undefined
  return refuse('step_up_required', 'This needs a proof that you are there.', {
    next: (await auth.pins.isSet(personOf(identity)))
      ? `send your PIN to POST /api/proof, and what it answers in the header ${proofHeader}.`
      : noPin,
  })
}

const noPin = 'choose a PIN on the page of a login link; the terminal of the server has one.'

function notNamed(verb: Verb): Reply {
  const message = `This token of a service was not made for "${verb}".`
  return refuse('not_permitted', message, { next: 'let a person make one that names it.' })
}

/** Takes the PIN of a person for a proof. */
export async function prove({ parts, identity }: Asking, pin: string): Promise<Reply> {
  const { auth } = parts
  const { tokenId } = identity.token
  const answer = await auth.pins.check(personOf(identity), pin, tokenId)
  switch (answer.kind) {
    case 'right': {
      const { secret, expiresAt } = await auth.tokens.mintProof(tokenId)
      return json(201, { proof: secret, expires_at: expiresAt })
    }
    case 'unset':
      return refuse('step_up_required', 'No PIN was chosen yet.', { next: noPin })
    case 'wrong':
      return refuse('pin_wrong', 'That is not the PIN.', {
        next: 'try again; each further mistake makes this login wait longer.',
      })
    case 'wait':
      return refuse('pin_locked', 'The PIN was wrong too often.', {
        next: `wait ${answer.seconds} seconds; other logins do not wait.`,
        details: { retry_after_s: answer.seconds },
      })
  }
}

/** Logins from before people had names belong to nobody, and so to nobody's PIN. */
export function personOf({ token }: Identity): string {
  return token.person ?? ''
}

import { unreachable } from '@statewright/core/internal'
import type { Factor, Proof, Verb } from '@statewright/core/wire'
import type { TokenRow } from '../../store/store.ts'
import { type Auth, factorsOf, testPersonMark } from '../auth/auth.ts'
import { providerName } from '../auth/oidc/settings.ts'
import { json, type Reply, refuse } from './reply.ts'
import type { Call, Identity, ServerDependencies } from './route.ts'

const proofHeader = 'x-statewright-proof'

type Asking = Pick<Call<unknown, unknown>, 'server' | 'identity' | 'request'>

/**
 * Asks a person for more than their login, which may lie on a disk: that they proved within the
 * last ten minutes to be there (PE-2). Undefined means go on.
 */
export async function demandProof(
  { server, identity, request }: Asking,
  verb: Verb,
): Promise<Reply | undefined> {
  const { token, caller } = identity
  if (caller.kind !== 'person' || token.createdBy === testPersonMark) return undefined
  if (token.verbs !== null && !token.verbs.includes(verb)) return notNamed(token, verb)
  if (isService(token)) return undefined
  const { auth } = server
  const proof = request.headers.get(proofHeader)
  const found = proof === null ? undefined : await auth.tokens.findProof(proof, token.tokenId)
  // The roles of the fresh login hold: somebody may have taken one away since the other.
  if (found !== undefined && found.verbs?.includes(verb) === false) return notNamed(token, verb)
  if (found !== undefined) return undefined
  const factors = await factorsOf(auth, personOf(identity))
  return wantProof(auth, 'Confirm that it is you.', factors)
}

/** Says what the person can prove it with, for programs as a field. */
function wantProof(
  { oidc }: Pick<Auth, 'oidc'>,
  message: string,
  factors: readonly Factor[],
): Reply {
  const active = factors.includes('oidc') ? oidc.active() : undefined
  const provider = active === undefined ? {} : { provider: providerName(active.config) }
  const details = { factors, ...provider }
  return refuse('step_up_required', message, { next: wayToProof(factors), details })
}

function wayToProof(factors: readonly Factor[]): string {
  if (factors.length === 0) {
    const where = 'on the page of a login link; the terminal of the server has one.'
    return `choose a passkey or a PIN ${where}`
  }
  const ways = factors.map((factor) => waysToProof[factor]).join(', or ')
  return `${ways}, and send what it answers in the header ${proofHeader}.`
}

const waysToProof: Readonly<Record<Factor, string>> = {
  passkey: 'use your passkey in the dashboard (POST /api/proof/passkey)',
  pin: 'send your PIN to POST /api/proof',
  oidc: 'log in again with your provider (POST /api/proof/oidc)',
}

/** Made for some verbs, by a person who answers for it; it has nobody to prove anything. */
function isService({ person, verbs }: TokenRow): boolean {
  return person === null && verbs !== null
}

function notNamed(token: TokenRow, verb: Verb): Reply {
  if (!isService(token)) {
    const next = 'ask somebody who may; log in again if your roles have changed.'
    return refuse('not_permitted', `Your roles do not include "${verb}".`, { next })
  }
  const message = `This service token was not created for "${verb}".`
  return refuse('not_permitted', message, { next: 'ask a person to create one with that verb.' })
}

/** Takes the PIN of a person for a proof. */
export async function prove({ server, identity }: Asking, pin: string): Promise<Reply> {
  const { auth } = server
  const { tokenId } = identity.token
  const answer = await auth.pins.check(personOf(identity), pin, tokenId)
  switch (answer.kind) {
    case 'right':
      return giveProof(server, tokenId)
    case 'unset':
      return wantProof(auth, 'You have no PIN yet.', await factorsOf(auth, personOf(identity)))
    case 'wrong':
      return refuse('pin_wrong', 'This PIN is wrong.', {
        next: 'try again; each wrong PIN makes this login wait longer.',
      })
    case 'wait':
      return refuse('pin_locked', 'Too many wrong PINs.', {
        next: `wait ${answer.seconds} seconds. Your other logins are not affected.`,
        details: { retry_after_s: answer.seconds },
      })
    default:
      return unreachable(answer)
  }
}

/** The same proof, whatever the person had to show for it; `verbs` where roles limit it. */
export async function giveProof(
  { auth }: ServerDependencies,
  tokenId: string,
  verbs?: readonly Verb[],
): Promise<Reply> {
  const { secret, expiresAt } = await auth.tokens.mintProof(tokenId, verbs)
  const proof: Proof = { proof: secret, expires_at: expiresAt }
  return json(201, proof)
}

/** Logins from before people had names belong to nobody, and so to nobody's PIN or passkey. */
export function personOf({ token }: Identity): string {
  return token.person ?? ''
}

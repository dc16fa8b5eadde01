import type { Verb } from '@statewright/core/wire'
import type { Clock } from '../../../base/clock.ts'
import type { RuntimeProblem } from '../../../base/problem.ts'
import { TypedCodes } from '../typed-codes.ts'

/** The login that wants a proof, and whose it is. */
export interface ProofAsker {
  readonly tokenId: string
  readonly person: string
}

export interface ProofRequest extends ProofAsker {
  readonly userCode: string
}

export type ProofOutcome =
  | { readonly verbs: readonly Verb[] }
  | { readonly problem: RuntimeProblem }

export type ProofState =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'settled'; readonly outcome: ProofOutcome }

export const proofRequestMs = 10 * 60_000
/** Tabs of one browser are one login. */
const maxOfLogin = 5

/**
 * Logins that wait until their person has logged in afresh at the provider. The ticket stays in the
 * memory of the page or command that asked; what it gets, it gets once.
 */
export class ProofRequests {
  readonly #codes: TypedCodes<ProofAsker, ProofOutcome>

  constructor(clock: Clock) {
    this.#codes = new TypedCodes({
      kind: 'ticket',
      lifetimeMs: proofRequestMs,
      clock,
      // Anyone who asks often forgets their own oldest, and nobody else's.
      max: maxOfLogin,
      isOfSame: (one, other) => one.tokenId === other.tokenId,
    })
  }

  begin({ tokenId, person }: ProofAsker): { readonly ticket: string; readonly userCode: string } {
    const { secret, userCode } = this.#codes.begin({ tokenId, person })
    return { ticket: secret, userCode }
  }

  /** The request of a page, if that page's login made it. */
  byTicket(ticket: string, tokenId: string): ProofRequest | undefined {
    const state = this.#codes.look(ticket)
    return state.kind !== 'unknown' && state.request.tokenId === tokenId ? state.request : undefined
  }

  byCode(userCode: string): ProofRequest | undefined {
    return this.#codes.waiting(userCode)
  }

  /** What a fresh login came to; false where nobody waits for it any more. */
  settle({ userCode }: ProofRequest, outcome: ProofOutcome): boolean {
    return this.#codes.settle(userCode, outcome)
  }

  /** Asked again and again by anyone who has the ticket; the answer uses it up. */
  claim(ticket: string, tokenId: string): ProofState {
    const state = this.#codes.look(ticket)
    if (state.kind === 'unknown' || state.request.tokenId !== tokenId) return { kind: 'unknown' }
    if (state.kind === 'waiting') return { kind: 'waiting' }
    this.#codes.drop(ticket)
    return { kind: 'settled', outcome: state.outcome }
  }
}

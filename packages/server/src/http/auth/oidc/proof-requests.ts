import type { Verb } from '@statewright/core/wire'
import type { Clock } from '../../../base/clock.ts'
import type { RuntimeProblem } from '../../../base/problem.ts'
import { newSecret, secretHash } from '../secrets.ts'
import { newUserCode, plainCode } from '../user-code.ts'

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

interface Open extends ProofRequest {
  readonly expiresAt: number
  outcome: ProofOutcome | undefined
}

export const proofRequestMs = 10 * 60_000
/** Tabs of one browser are one login. */
const maxOfLogin = 5

/**
 * Logins that wait until their person has logged in afresh at the provider. The ticket stays in the
 * memory of the page or command that asked; what it gets, it gets once.
 */
export class ProofRequests {
  readonly #clock: Clock
  readonly #open = new Map<string, Open>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Whoever asks often forgets their own oldest, and nobody else's. */
  begin({ tokenId, person }: ProofAsker): { readonly ticket: string; readonly userCode: string } {
    this.#dropExpired()
    const own = [...this.#open].filter(([, one]) => one.tokenId === tokenId)
    for (const [key] of own.slice(0, Math.max(0, own.length - maxOfLogin + 1))) {
      this.#open.delete(key)
    }
    const ticket = newSecret()
    const userCode = newUserCode()
    const expiresAt = this.#clock.now() + proofRequestMs
    const open = { tokenId, person, userCode, expiresAt, outcome: undefined }
    this.#open.set(secretHash(ticket, 'ticket'), open)
    return { ticket, userCode }
  }

  /** The request of a page, if that page's login made it. */
  byTicket(ticket: string, tokenId: string): ProofRequest | undefined {
    const found = this.#find(ticket)
    return found?.tokenId === tokenId ? found : undefined
  }

  byCode(userCode: string): ProofRequest | undefined {
    this.#dropExpired()
    const wanted = plainCode(userCode)
    for (const open of this.#open.values()) {
      if (plainCode(open.userCode) === wanted && open.outcome === undefined) return open
    }
    return undefined
  }

  /** What a fresh login came to; false where nobody waits for it any more. */
  settle({ userCode }: ProofRequest, outcome: ProofOutcome): boolean {
    this.#dropExpired()
    for (const open of this.#open.values()) {
      if (open.userCode !== userCode || open.outcome !== undefined) continue
      open.outcome = outcome
      return true
    }
    return false
  }

  /** Asked again and again by whoever has the ticket; the answer uses it up. */
  claim(ticket: string, tokenId: string): ProofState {
    const found = this.#find(ticket)
    if (found === undefined || found.tokenId !== tokenId) return { kind: 'unknown' }
    if (found.outcome === undefined) return { kind: 'waiting' }
    this.#open.delete(secretHash(ticket, 'ticket'))
    return { kind: 'settled', outcome: found.outcome }
  }

  #find(ticket: string): Open | undefined {
    this.#dropExpired()
    return this.#open.get(secretHash(ticket, 'ticket'))
  }

  #dropExpired(): void {
    const now = this.#clock.now()
    for (const [key, { expiresAt }] of this.#open) if (expiresAt <= now) this.#open.delete(key)
  }
}

import { BoundedMap } from '@statewright/core/internal'
import type { Clock } from '../../../base/clock.ts'
import { newSecret, sameHash, secretHash } from '../secrets.ts'

/** What a login at the provider is for, and what happens when it comes back. */
export type Purpose =
  | { readonly kind: 'login'; readonly back: string }
  /** A fresh login, for the proof or the command line that waits under this code. */
  | { readonly kind: 'confirm'; readonly userCode: string }

export interface Attempt {
  readonly purpose: Purpose
  readonly nonce: string
  /** Of PKCE: only who has it gets something for the code. */
  readonly verifier: string
  readonly startedAt: number
}

export interface StartedAttempt extends Attempt {
  /** Its first part names the cookie, so that two tabs do not disturb each other. */
  readonly state: string
  /** For the cookie of the browser that began. */
  readonly browser: string
}

interface Open extends Attempt {
  readonly browserHash: string
}

export const attemptMs = 10 * 60_000
const maxOpen = 1000

/**
 * Logins that are on their way to the provider and back: each good once, for ten minutes, in the
 * browser that began, and only in the memory of the server that began it.
 */
export class Attempts {
  readonly #clock: Clock
  readonly #open = new BoundedMap<string, Open>(maxOpen)

  constructor(clock: Clock) {
    this.#clock = clock
  }

  begin(purpose: Purpose): StartedAttempt {
    const startedAt = this.#clock.now()
    for (const [key, one] of this.#open) if (isOver(one, startedAt)) this.#open.delete(key)
    const attempt = { purpose, nonce: newSecret(), verifier: newSecret(), startedAt }
    const state = `${newSecret().slice(0, 8)}.${newSecret()}`
    const browser = newSecret()
    const browserHash = secretHash(browser, 'attempt')
    this.#open.set(secretHash(state, 'attempt'), { ...attempt, browserHash })
    return { ...attempt, state, browser }
  }

  /**
   * Uses an attempt up, also where another browser comes back with it: anyone who then finds its
   * address in a history must not log in with it in the browser that began.
   */
  take(state: string, browser: string | undefined): Attempt | undefined {
    const key = secretHash(state, 'attempt')
    const found = this.#open.get(key)
    this.#open.delete(key)
    if (found === undefined || browser === undefined || isOver(found, this.#clock.now())) {
      return undefined
    }
    return sameHash(found.browserHash, secretHash(browser, 'attempt')) ? found : undefined
  }

  /** Another provider, or other roles: what was on its way does not count. */
  clear(): void {
    this.#open.clear()
  }
}

function isOver({ startedAt }: Attempt, now: number): boolean {
  // A clock that was set back must not keep it open.
  return Math.abs(now - startedAt) >= attemptMs
}

import type { Clock } from '../../base/clock.ts'

/** As long as somebody needs to find their key or their phone. */
export const challengeMs = 2 * 60_000
/** Tabs of one browser are one login. */
const maxOfHolder = 5

/** Who may answer a challenge, for what, and on which page. */
export interface ChallengeUse {
  readonly purpose: 'create' | 'prove'
  /** The login, or the login link, that asked for it. */
  readonly holder: string
  readonly origin: string
}

/**
 * Challenges that a passkey is to sign: each good once, for two minutes, for the login that asked,
 * and only in the memory of the server that made them.
 */
export class Challenges {
  readonly #clock: Clock
  readonly #open = new Map<string, ChallengeUse & { readonly expiresAt: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Anyone who asks for many forgets their own oldest, and nobody else's. */
  open(challenge: string, use: ChallengeUse): void {
    const now = this.#clock.now()
    for (const [key, { expiresAt }] of this.#open) if (expiresAt <= now) this.#open.delete(key)
    const own = [...this.#open].filter(([, { holder }]) => holder === use.holder)
    for (const [key] of own.slice(0, Math.max(0, own.length - maxOfHolder + 1))) {
      this.#open.delete(key)
    }
    this.#open.set(challenge, { ...use, expiresAt: now + challengeMs })
  }

  /** Uses a challenge up; false where it was another's, used before, or too old. */
  take(challenge: string, { purpose, holder, origin }: ChallengeUse): boolean {
    const found = this.#open.get(challenge)
    // A stranger's try must not use up what somebody else is just signing.
    if (found === undefined || found.holder !== holder) return false
    this.#open.delete(challenge)
    const isMeant = found.purpose === purpose && found.origin === origin
    return isMeant && found.expiresAt > this.#clock.now()
  }
}

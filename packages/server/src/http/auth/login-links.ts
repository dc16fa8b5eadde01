import type { Clock } from '../../runtime/clock.ts'
import { newSecret, secretHash } from './secrets.ts'

const linkMs = 10 * 60_000
const mostLinks = 100

/**
 * Links that make a browser a person's: good once, for ten minutes, and only in the memory of the
 * server that made them, so that nothing on disk makes a person.
 */
export class LoginLinks {
  readonly #clock: Clock
  readonly #expiries = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The path of a new link, below the server's address. */
  create(): string {
    const secret = newSecret()
    if (this.#expiries.size >= mostLinks) {
      const oldest = this.#expiries.keys().next().value
      if (oldest !== undefined) this.#expiries.delete(oldest)
    }
    this.#expiries.set(secretHash(secret, 'login'), this.#clock.now() + linkMs)
    return `/login/${secret}`
  }

  /** Uses a link up. */
  redeem(secret: string): boolean {
    const hash = secretHash(secret, 'login')
    const expiresAt = this.#expiries.get(hash)
    this.#expiries.delete(hash)
    return expiresAt !== undefined && expiresAt > this.#clock.now()
  }
}

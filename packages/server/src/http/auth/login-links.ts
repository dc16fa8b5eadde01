import { BoundedMap } from '@statewright/core/internal'
import type { Clock } from '../../base/clock.ts'
import { newSecret, secretHash } from './secrets.ts'

const linkMs = 10 * 60_000
const maxLinks = 100

/** Whose browser it makes, and what the session says of where it comes from. */
export interface Link {
  readonly person: string
  readonly createdBy: string
}

/**
 * Links that make a browser a person's: good once, for ten minutes, and only in the memory of the
 * server that made them, so that nothing on disk makes a person.
 */
export class LoginLinks {
  readonly #clock: Clock
  readonly #links = new BoundedMap<string, Link & { readonly expiresAt: number }>(maxLinks)

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The path of a new link for a person, below the server's address. */
  create(person: string, createdBy = 'login link'): string {
    const secret = newSecret()
    const expiresAt = this.#clock.now() + linkMs
    this.#links.set(secretHash(secret, 'login'), { person, createdBy, expiresAt })
    return `/login/${secret}`
  }

  /** Whose link it is, while it would still do. */
  find(secret: string): Link | undefined {
    return this.#findHash(secretHash(secret, 'login'))
  }

  #findHash(hash: string): Link | undefined {
    const link = this.#links.get(hash)
    return link !== undefined && link.expiresAt > this.#clock.now() ? link : undefined
  }

  /** The hash of a link that would still do, by its beginning. */
  findKey(keyId: string): string | undefined {
    for (const hash of this.#links.keys()) {
      if (hash.startsWith(keyId) && this.#findHash(hash) !== undefined) return hash
    }
    return undefined
  }

  /** Uses a link up. */
  redeem(secret: string): Link | undefined {
    const link = this.find(secret)
    this.#links.delete(secretHash(secret, 'login'))
    return link
  }
}

import { hash, randomBytes } from 'node:crypto'
import { BoundedMap } from '@statewright/core/internal'
import type { StartingCall } from '../hold-call.ts'

/** A shell call that was let through, as it has to be run. */
export interface JudgedShell extends StartingCall {
  readonly callId: string
  readonly command: string | readonly string[]
}

/** Gives the words that run a judged command instead of itself. */
export interface TicketIssuer {
  issue(judged: JudgedShell): readonly string[]
}

interface Issued {
  readonly judged: JudgedShell
  readonly key: string
  readonly expiresAt: number
}

/** Long enough for a client to ask its person first. */
const ticketMs = 15 * 60_000
const maxTickets = 10_000

/**
 * Tickets for judged shell calls: each serves once, for exactly the command that was judged. Only
 * their hashes are kept, and a ticket is never sent: who has one signs with its hash.
 */
export class Tickets {
  readonly #issued = new BoundedMap<string, Issued>(maxTickets)
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  issue(judged: JudgedShell): string {
    const secret = newSecret()
    const key = hash('sha256', secret)
    this.#issued.set(nameOf(key), { judged, key, expiresAt: this.#now() + ticketMs })
    return secret
  }

  /** Takes a ticket back, known by its hash; false when it was used or is too old. */
  takeBack(key: string): boolean {
    return this.#issued.delete(nameOf(key))
  }

  /** With what the holder of a ticket signs, by the name of that key. */
  keyOf(name: string): string | undefined {
    return this.#issued.get(name)?.key
  }

  /** Uses a ticket up, whatever becomes of it then. */
  redeem(key: string): JudgedShell | undefined {
    const issued = this.#issued.get(nameOf(key))
    this.#issued.delete(nameOf(key))
    return issued === undefined || issued.expiresAt <= this.#now() ? undefined : issued.judged
  }
}

const nameLength = 16

/** How a signature names its key: by the beginning of it. */
export function nameOf(key: string): string {
  return key.slice(0, nameLength)
}

export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

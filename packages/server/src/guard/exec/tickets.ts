import { hash, randomBytes } from 'node:crypto'
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
  readonly expiresAt: number
}

/** Long enough for a client to ask its person first. */
const ticketMs = 15 * 60_000
const maxTickets = 10_000

/**
 * Tickets for judged shell calls: each serves once, for exactly the command that was judged. Only
 * hashes are kept, so that nobody who reads our memory's dump can use one.
 */
export class Tickets {
  readonly #issued = new Map<string, Issued>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  issue(judged: JudgedShell): string {
    const secret = newSecret()
    this.#issued.set(hash('sha256', secret), { judged, expiresAt: this.#now() + ticketMs })
    if (this.#issued.size > maxTickets) {
      const oldest = this.#issued.keys().next().value
      if (oldest !== undefined) this.#issued.delete(oldest)
    }
    return secret
  }

  /** Takes a ticket back, known by its hash; false when it was used or is too old. */
  takeBack(ticketHash: string): boolean {
    return this.#issued.delete(ticketHash)
  }

  /** Uses a ticket up, whatever becomes of it then. */
  redeem(secret: string): JudgedShell | undefined {
    const key = hash('sha256', secret)
    const issued = this.#issued.get(key)
    this.#issued.delete(key)
    return issued === undefined || issued.expiresAt <= this.#now() ? undefined : issued.judged
  }
}

export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

import { hash, randomBytes } from 'node:crypto'
import { BoundedMap } from '@statewright/core/internal'
import type { StartingCall } from '../hold-call.ts'

/** A shell call that was let through, as it has to be run. */
export interface JudgedShell extends StartingCall {
  readonly callId: string
  readonly command: string | readonly string[]
  /** The client's process as `processKey` names it, where it was seen. */
  readonly client?: string | undefined
}

/** Gives the words that run a judged command instead of itself. */
export interface TicketIssuer {
  issue(judged: JudgedShell): readonly string[]
}

interface Issued {
  readonly judged: JudgedShell
  readonly key: string
  readonly expiresAt: number
  readonly isUsed: boolean
}

export interface Redeemed {
  readonly judged: JudgedShell
  /** False: somebody came with the ticket before. */
  readonly isFirst: boolean
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
    const expiresAt = this.#now() + ticketMs
    this.#issued.set(nameOf(key), { judged, key, expiresAt, isUsed: false })
    return secret
  }

  /** Takes a ticket back, known by its hash; false when it was used or is too old. */
  takeBack(key: string): boolean {
    const name = nameOf(key)
    return this.#issued.get(name)?.isUsed === false && this.#issued.delete(name)
  }

  /** With what the holder of a ticket signs, by the name of that key. */
  keyOf(name: string): string | undefined {
    return this.#issued.get(name)?.key
  }

  /** Uses a ticket up, whatever becomes of it then; of a used one it is known whose it was. */
  redeem(key: string): Redeemed | undefined {
    const issued = this.#issued.get(nameOf(key))
    if (issued === undefined || issued.expiresAt <= this.#now()) return undefined
    const { judged, isUsed } = issued
    this.#issued.set(nameOf(key), { ...issued, isUsed: true })
    return { judged, isFirst: !isUsed }
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

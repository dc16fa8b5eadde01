import type { Verb } from '@statewright/core/wire'
import type { Clock } from '../../base/clock.ts'
import { newSecret, secretHash } from './secrets.ts'
import { newUserCode, plainCode } from './user-code.ts'

export interface DeviceLogin {
  readonly deviceCode: string
  /** Short enough to read from one screen and type into another. */
  readonly userCode: string
  readonly expiresInS: number
}

export type DeviceState =
  | { readonly kind: 'waiting' }
  | ({ readonly kind: 'confirmed'; readonly name: string } & Confirmed)
  | { readonly kind: 'unknown' }

interface Pending {
  readonly userCode: string
  readonly name: string
  readonly expiresAt: number
  confirmed: Confirmed | undefined
}

/** The login that confirmed it, and the person whose it is. */
interface Confirmed {
  readonly by: string
  readonly person: string
  /** What the roles of somebody from a provider let them do. */
  readonly verbs?: readonly Verb[]
}

const loginMs = 10 * 60_000
/** Anybody may ask for one: more than a person could wait behind, and still little memory. */
const maxPending = 10_000

/** Logins of command lines that a person confirms in the browser. */
export class DeviceLogins {
  readonly #clock: Clock
  readonly #pending = new Map<string, Pending>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Where too many wait, the oldest is given up: whoever asks without end locks nobody out. */
  begin(name: string): DeviceLogin {
    this.#dropExpired()
    const [oldest] = this.#pending.keys()
    if (this.#pending.size >= maxPending && oldest !== undefined) this.#pending.delete(oldest)
    const deviceCode = newSecret()
    const userCode = newUserCode()
    const expiresAt = this.#clock.now() + loginMs
    const pending: Pending = { userCode, name, expiresAt, confirmed: undefined }
    this.#pending.set(secretHash(deviceCode, 'device'), pending)
    return { deviceCode, userCode, expiresInS: loginMs / 1000 }
  }

  /** What the code on the screen asks for; the person sees it before confirming. */
  waiting(userCode: string): { readonly name: string } | undefined {
    this.#dropExpired()
    return this.#byUserCode(userCode)
  }

  confirm(userCode: string, confirmed: Confirmed): boolean {
    this.#dropExpired()
    const pending = this.#byUserCode(userCode)
    if (pending === undefined) return false
    pending.confirmed = confirmed
    return true
  }

  /** Asked again and again by the command line; a confirmed login is used up by its answer. */
  poll(deviceCode: string): DeviceState {
    this.#dropExpired()
    const hash = secretHash(deviceCode, 'device')
    const pending = this.#pending.get(hash)
    if (pending === undefined) return { kind: 'unknown' }
    if (pending.confirmed === undefined) return { kind: 'waiting' }
    this.#pending.delete(hash)
    return { kind: 'confirmed', name: pending.name, ...pending.confirmed }
  }

  #byUserCode(userCode: string): Pending | undefined {
    const wanted = plainCode(userCode)
    for (const pending of this.#pending.values()) {
      if (plainCode(pending.userCode) === wanted && pending.confirmed === undefined) return pending
    }
    return undefined
  }

  #dropExpired(): void {
    const now = this.#clock.now()
    for (const [hash, { expiresAt }] of this.#pending) {
      if (expiresAt <= now) this.#pending.delete(hash)
    }
  }
}

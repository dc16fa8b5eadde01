import type { Verb } from '@statewright/core/wire'
import type { Clock } from '../../base/clock.ts'
import { TypedCodes } from './typed-codes.ts'

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
  readonly #codes: TypedCodes<{ readonly name: string }, Confirmed>

  constructor(clock: Clock) {
    // Where too many wait, the oldest is given up: anyone who asks without end locks nobody out.
    const all = { max: maxPending, isOfSame: () => true }
    this.#codes = new TypedCodes({ kind: 'device', lifetimeMs: loginMs, clock, ...all })
  }

  begin(name: string): DeviceLogin {
    const { secret, userCode } = this.#codes.begin({ name })
    return { deviceCode: secret, userCode, expiresInS: loginMs / 1000 }
  }

  /** What the code on the screen asks for; the person sees it before confirming. */
  waiting(userCode: string): { readonly name: string } | undefined {
    return this.#codes.waiting(userCode)
  }

  confirm(userCode: string, confirmed: Confirmed): boolean {
    return this.#codes.settle(userCode, confirmed)
  }

  /** Asked again and again by the command line; a confirmed login is used up by its answer. */
  poll(deviceCode: string): DeviceState {
    const state = this.#codes.look(deviceCode)
    if (state.kind !== 'settled') return { kind: state.kind }
    this.#codes.drop(deviceCode)
    return { kind: 'confirmed', name: state.request.name, ...state.outcome }
  }
}

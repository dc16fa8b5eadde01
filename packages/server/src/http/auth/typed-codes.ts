import type { Clock } from '../../base/clock.ts'
import { newSecret, secretHash } from './secrets.ts'
import { newUserCode, plainCode } from './user-code.ts'

/** What was asked for, with the code that the person types. */
type Coded<Request> = Request & { readonly userCode: string }

interface Pending<Request, Outcome> {
  readonly request: Coded<Request>
  readonly expiresAt: number
  outcome: Outcome | undefined
}

/** How a request stands for anyone who has its secret. */
export type CodeState<Request, Outcome> =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'waiting'; readonly request: Coded<Request> }
  | { readonly kind: 'settled'; readonly request: Coded<Request>; readonly outcome: Outcome }

interface TypedCodesOptions<Request> {
  /** Keeps the hash of a secret apart from those of other kinds. */
  readonly kind: 'device' | 'ticket'
  readonly lifetimeMs: number
  readonly clock: Clock
  /** How many wait at most, and of whom the oldest is given up for the next. */
  readonly max: number
  readonly isOfSame: (one: Request, other: Request) => boolean
}

/**
 * Requests that wait for a person: anyone who asked keeps a secret and asks again and again, the
 * person types a short code elsewhere. An answer is given once, and nothing waits for ever.
 */
export class TypedCodes<Request extends object, Outcome> {
  readonly #options: TypedCodesOptions<Request>
  readonly #pending = new Map<string, Pending<Request, Outcome>>()

  constructor(options: TypedCodesOptions<Request>) {
    this.#options = options
  }

  begin(request: Request): { readonly secret: string; readonly userCode: string } {
    const { kind, lifetimeMs, clock, max, isOfSame } = this.#options
    this.#dropExpired()
    const same = [...this.#pending].filter(([, one]) => isOfSame(one.request, request))
    for (const [key] of same.slice(0, Math.max(0, same.length - max + 1))) this.#pending.delete(key)
    const [secret, userCode] = [newSecret(), newUserCode()]
    const expiresAt = clock.now() + lifetimeMs
    const pending = { request: { ...request, userCode }, expiresAt, outcome: undefined }
    this.#pending.set(secretHash(secret, kind), pending)
    return { secret, userCode }
  }

  /** What the code on a screen asks for, as long as nobody has answered. */
  waiting(userCode: string): Coded<Request> | undefined {
    return this.#byCode(userCode)?.request
  }

  /** False where nobody waits for the answer any more. */
  settle(userCode: string, outcome: Outcome): boolean {
    const pending = this.#byCode(userCode)
    if (pending === undefined) return false
    pending.outcome = outcome
    return true
  }

  /** How a request stands; an answer stays until it is taken. */
  look(secret: string): CodeState<Request, Outcome> {
    this.#dropExpired()
    const pending = this.#pending.get(secretHash(secret, this.#options.kind))
    if (pending === undefined) return { kind: 'unknown' }
    const { request, outcome } = pending
    return outcome === undefined
      ? { kind: 'waiting', request }
      : { kind: 'settled', request, outcome }
  }

  /** Uses a request up. */
  drop(secret: string): void {
    this.#pending.delete(secretHash(secret, this.#options.kind))
  }

  #byCode(userCode: string): Pending<Request, Outcome> | undefined {
    this.#dropExpired()
    const typed = plainCode(userCode)
    for (const pending of this.#pending.values()) {
      const isTyped = plainCode(pending.request.userCode) === typed
      if (isTyped && pending.outcome === undefined) return pending
    }
    return undefined
  }

  #dropExpired(): void {
    const now = this.#options.clock.now()
    for (const [key, { expiresAt }] of this.#pending) {
      if (expiresAt <= now) this.#pending.delete(key)
    }
  }
}

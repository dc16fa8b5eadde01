import type { Clock } from '../../base/clock.ts'
import { macOf } from '../../clients/server-key.ts'
import { sameHash } from './secrets.ts'

/** What a signed request of a hook says of itself; `bin/project-key.cjs` writes it. */
export interface HookSignature {
  readonly keyId: string
  readonly time: string
  readonly nonce: string
  readonly mac: string
}

const shape =
  /^Statewright key=([0-9a-f]{16}),time=(\d{13}),nonce=([0-9a-f]{32}),mac=([0-9a-f]{64})$/

export function readSignature(authorization: string | null): HookSignature | undefined {
  const [, keyId, time, nonce, mac] = shape.exec(authorization ?? '') ?? []
  if (keyId === undefined || time === undefined || nonce === undefined || mac === undefined) {
    return undefined
  }
  return { keyId, time, nonce, mac }
}

/** What is signed: the body, the path, and what else the request says of its sender. */
export interface SignedRequest {
  readonly path: string
  readonly process: string
  readonly gateway: string
  /** Not told by hooks of older versions, nor by `exec`. */
  readonly home?: string | undefined
  readonly text: string
}

export function isSigned(
  key: string,
  { time, nonce, mac }: HookSignature,
  { path, process, gateway, home, text }: SignedRequest,
): boolean {
  const sender = home === undefined ? [process, gateway] : [process, gateway, home]
  const lines = ['statewright hook', time, nonce, 'POST', path, ...sender]
  return sameHash(macOf(key, `${lines.join('\n')}\n`, text), mac)
}

/** Where the signature of an answer stands. */
export const macHeader = 'statewright-mac'

/** Shows that the answer is ours, and to which request: its signature stands for all of it. */
export function signAnswer(key: string, { mac }: HookSignature, text: string): string {
  return macOf(key, `statewright answer\n${mac}\n`, text)
}

/** How far the clocks of hook and server may be apart. */
const toleranceMs = 60_000
/** A request may come early by as much as late: so long its nonce must be known. */
const rememberMs = 2 * toleranceMs
const maxRemembered = 200_000

/** Takes each signed request once, and none that was made before this server began. */
export class SeenRequests {
  readonly #clock: Clock
  readonly #startedAt = performance.now()
  #recent = new Set<string>()
  #older = new Set<string>()
  #turnedAt = performance.now()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Undefined when it is new and was made just now. */
  refuse({ time, nonce }: HookSignature): 'wrong_time' | 'replayed' | 'too_many' | undefined {
    const now = performance.now()
    const ageMs = this.#clock.now() - Number(time)
    // What an earlier server has seen, this one does not know.
    const oldest = Math.min(toleranceMs, now - this.#startedAt)
    if (ageMs > oldest || ageMs < -toleranceMs) return 'wrong_time'
    if (now - this.#turnedAt >= rememberMs) {
      this.#older = this.#recent
      this.#recent = new Set()
      this.#turnedAt = now
    }
    if (this.#recent.has(nonce) || this.#older.has(nonce)) return 'replayed'
    if (this.#recent.size >= maxRemembered) return 'too_many'
    this.#recent.add(nonce)
    return undefined
  }
}

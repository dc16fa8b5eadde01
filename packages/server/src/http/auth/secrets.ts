import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { TokenKind } from '../../store/store.ts'

/** A secret that cannot be guessed: 32 random bytes. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

export function newToken(kind: TokenKind): string {
  return `sw_${kind}_${newSecret()}`
}

const tokenShape = /^sw_(?:hook|agent|person)_[A-Za-z0-9_-]{43}$/

/** Whether it could be one of our tokens at all; anything else is not worth a look in the store. */
export function looksLikeToken(text: string): boolean {
  return tokenShape.test(text)
}

/**
 * What is stored of a secret. The use is part of the hash, so that a cookie taken from a browser
 * cannot be sent as a token, past the check of its origin.
 */
export function secretHash(secret: string, use: SecretUse): string {
  return hash('sha256', use === 'bearer' ? secret : `${use}:${secret}`)
}

export type SecretUse = 'bearer' | 'cookie' | 'login' | 'device' | 'proof' | 'attempt' | 'ticket'

/** Compares without telling by its time how much was right. */
export function sameHash(left: string, right: string): boolean {
  return left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right))
}

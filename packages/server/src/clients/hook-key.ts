import { createHmac, hash } from 'node:crypto'

/**
 * What the hooks of a client make of their token: the key that they sign with, which is what the
 * server stores of the token, and a name for it. `bin/project-key.cjs` does the same.
 */
export function signingKey(hookToken: string): string {
  return hash('sha256', hookToken)
}

const idLength = 16

/** The beginning of the key: what is left of it still cannot be guessed. */
export function keyIdOf(key: string): string {
  return key.slice(0, idLength)
}

/**
 * The token for a hook that can only send a header which never changes, to whoever has our port. It
 * is good for telling what has happened, and the key cannot be found from it.
 */
export function tellToken(key: string): string {
  return `sw_tell_${keyIdOf(key)}_${macOf(key, 'statewright tell\n')}`
}

const tellShape = /^sw_tell_([0-9a-f]{16})_[0-9a-f]{64}$/

/** The name of the key that a token for telling was made of; undefined when it is none. */
export function tellKeyId(token: string): string | undefined {
  return tellShape.exec(token)?.[1]
}

export function macOf(key: string, ...texts: readonly string[]): string {
  const mac = createHmac('sha256', key)
  for (const text of texts) mac.update(text)
  return mac.digest('hex')
}

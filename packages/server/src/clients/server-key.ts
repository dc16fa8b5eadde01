import { createHmac, hash, randomBytes } from 'node:crypto'
import { endpoints } from '@statewright/core/wire'

/**
 * What the hooks of a client make of their token: the key that they sign with, which is what the
 * server stores of the token, and a name for it. `bin/project-key.cjs` does the same.
 */
export function signingKey(hookToken: string): string {
  return hash('sha256', hookToken)
}

/** The same of a login link, of which the server stores another hash. */
export function linkKey(secret: string): string {
  return hash('sha256', `login:${secret}`)
}

const idLength = 16

/** The beginning of the key: what is left of it still cannot be guessed. */
export function keyIdOf(key: string): string {
  return key.slice(0, idLength)
}

export function macOf(key: string, ...texts: readonly string[]): string {
  const mac = createHmac('sha256', key)
  for (const text of texts) mac.update(text)
  return mac.digest('hex')
}

/**
 * What a server says that has the key: for this question alone, and on the port that it was asked
 * at, so that anyone who has another port cannot pass the question on.
 */
export function serverMac(key: string, { nonce, port }: { nonce: string; port: number }): string {
  return macOf(key, `statewright server\n${nonce}\n${port}\n`)
}

/** Nothing was sent. */
export class UnprovenServer extends Error {
  readonly reason: 'unreachable' | 'unknown_key' | 'unproven' | 'plain'

  constructor(reason: UnprovenServer['reason'], message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

const withinMs = 10_000

/**
 * Throws unless the server at an address is the one that a secret comes from: by its certificate,
 * or by knowing the key that is made of the secret. Another program may have its port by now.
 */
export async function expectServer(url: string, key: string): Promise<void> {
  const { protocol, hostname, port } = new URL(url)
  if (protocol === 'https:' || process.env.STATEWRIGHT_TRUST_URL === '1') return
  if (!isLoopback(hostname)) {
    throw new UnprovenServer('plain', `Plain http to ${hostname} would expose your token.`)
  }
  const nonce = randomBytes(16).toString('hex')
  const answer = await ask(
    `${url.replace(/\/+$/, '')}${endpoints.proveServer.path}`,
    keyIdOf(key),
    nonce,
  )
  if (answer.status === 401) {
    throw new UnprovenServer('unknown_key', `The server at ${url} does not know your token.`)
  }
  if (answer.mac === serverMac(key, { nonce, port: Number(port === '' ? 80 : port) })) return
  const message = `What answers at ${url} cannot prove that it is the Statewright server.`
  throw new UnprovenServer('unproven', `${message} Nothing was sent to it.`)
}

async function ask(url: string, key: string, nonce: string) {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify({ key, nonce }),
      redirect: 'error',
      signal: AbortSignal.timeout(withinMs),
    })
    const reply: unknown = await answer.json().catch(() => undefined)
    const isObject = typeof reply === 'object' && reply !== null && 'mac' in reply
    return { status: answer.status, mac: isObject ? reply.mac : undefined }
  } catch (fault) {
    const cause = fault instanceof Error && fault.cause instanceof Error ? fault.cause : fault
    const why = cause instanceof Error ? cause.message || cause.name : String(cause)
    throw new UnprovenServer('unreachable', why, fault)
  }
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname)
}

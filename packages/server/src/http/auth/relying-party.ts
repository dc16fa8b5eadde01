import { isIP } from 'node:net'

/** The address for which a passkey is made: it works there and nowhere else. */
export interface RelyingParty {
  readonly id: string
  readonly origin: string
}

/**
 * Where the page of a request may use passkeys: at `localhost`, or under a name over https.
 * Browsers refuse them at an IP address. The door has seen that the origin is one of ours.
 */
export function relyingParty(origin: string | null): RelyingParty | undefined {
  if (origin === null || !URL.canParse(origin)) return undefined
  const { protocol, hostname } = new URL(origin)
  if (hostname === 'localhost') return { id: hostname, origin }
  const isName = isIP(hostname) === 0 && !hostname.startsWith('[')
  return protocol === 'https:' && isName ? { id: hostname, origin } : undefined
}

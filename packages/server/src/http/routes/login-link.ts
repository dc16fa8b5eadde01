import { NewCredential } from '@statewright/core/wire'
import { relyingParty } from '../auth/relying-party.ts'
import { secretHash } from '../auth/secrets.ts'
import { parseJsonBody } from '../pipeline/json-body.ts'
import { type Reply, refuse } from '../pipeline/reply.ts'
import type { PublicCall } from '../pipeline/route.ts'

/** To whom the challenges of a login link belong: to that link, by its hash. */
export function holderOf(secret: string): string {
  return `link:${secretHash(secret, 'login')}`
}

export function linkGone(): Reply {
  return refuse('login_expired', 'This login link was already used, or has expired.', {
    next: 'get a new one from the terminal of the server.',
  })
}

/** The passkey that came with the form of a login link; undefined where it does not count. */
export async function passkeyOfLink(
  {
    server,
    params,
    request,
  }: Pick<PublicCall<unknown, undefined>, 'server' | 'params' | 'request'>,
  person: string,
  text: string,
) {
  const party = relyingParty(request.headers.get('origin'))
  const value = parseJsonBody(text)
  const credential = value.ok ? NewCredential.safeParse(value.value) : undefined
  if (party === undefined || credential?.success !== true) return undefined
  const ceremony = { person, holder: holderOf(params.secret ?? ''), party }
  return server.auth.passkeys.verifyNew(ceremony, credential.data)
}

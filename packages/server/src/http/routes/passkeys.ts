import { endpoints, type Passkey as PasskeyLine } from '@statewright/core/wire'
import type { Passkey } from '../auth/passkey-store.ts'
import { maxPasskeys } from '../auth/passkeys.ts'
import { type RelyingParty, relyingParty } from '../auth/relying-party.ts'
import { giveProof, personOf } from '../pipeline/proof.ts'
import { type Reply, refuse } from '../pipeline/reply.ts'
import { type Answering, type Call, type CallOf, type Route, serve } from '../pipeline/route.ts'
import { holderOf, linkGone } from './login-link.ts'
import { passkeyScript } from './passkey-script.ts'

/** Passkeys are set with a login link or by whoever has a proof, and never with a login alone. */
export const passkeyRoutes: readonly Route[] = [
  serve(
    endpoints.listPasskeys,
    async ({ server, identity }, reply) => {
      const passkeys = await server.auth.passkeys.list(personOf(identity))
      return reply(200, { passkeys: passkeys.map(shown) })
    },
    { isLocal: true },
  ),
  serve(
    endpoints.requestPasskey,
    (call, reply) =>
      asOwner(call, async (ceremony) =>
        reply(200, await call.server.auth.passkeys.creationOptions(ceremony)),
      ),
    { isLocal: true },
  ),
  serve(
    endpoints.addPasskey,
    (call, reply) => asOwner(call, (ceremony) => add(call, ceremony, reply)),
    { isLocal: true },
  ),
  serve(
    endpoints.removePasskey,
    async ({ server, identity, params: { id } }, reply) => {
      const isGone = await server.auth.passkeys.remove(personOf(identity), id)
      if (isGone) return reply(200, { id, removed: true })
      return refuse('not_found', 'You have no such passkey.', { next: 'see GET /api/passkeys.' })
    },
    { isLocal: true },
  ),
  serve(
    endpoints.requestPasskeyProof,
    (call, reply) =>
      asOwner(call, async (ceremony) => {
        const options = await call.server.auth.passkeys.proofOptions(ceremony)
        if (options !== undefined) return reply(200, options)
        return refuse('passkey_wrong', 'You have no passkey for this address.', {
          next: 'open the address that it was created for, or use your PIN.',
        })
      }),
    { isLocal: true },
  ),
  serve(
    endpoints.proveByPasskey,
    (call) =>
      asOwner(call, async (ceremony) => {
        const isRight = await call.server.auth.passkeys.check(ceremony, call.body.credential)
        return isRight ? giveProof(call.server, ceremony.holder) : wrongPasskey()
      }),
    { isLocal: true },
  ),
  serve(
    endpoints.requestFirstPasskey,
    async ({ server, params: { secret }, request }, reply) => {
      const link = server.auth.links.find(secret)
      if (link === undefined) return linkGone()
      const party = relyingParty(request.headers.get('origin'))
      if (party === undefined) return noParty()
      const ceremony = { person: link.person, holder: holderOf(secret), party }
      return reply(200, await server.auth.passkeys.creationOptions(ceremony))
    },
    { isLocal: true, refusesGuarded: true },
  ),
  serve(endpoints.getPasskeyScript, () => ({
    status: 200,
    type: 'text/javascript; charset=utf-8',
    payload: passkeyScript,
  })),
]

interface Owned {
  readonly person: string
  readonly holder: string
  readonly party: RelyingParty
}

/** A passkey belongs to a named person, and to the address of the page that asks. */
async function asOwner(
  { identity, request }: Pick<Call<unknown, unknown>, 'identity' | 'request'>,
  handle: (ceremony: Owned) => Promise<Reply>,
): Promise<Reply> {
  const person = personOf(identity)
  if (person === '') return refuse('not_permitted', 'A passkey belongs to a named person.')
  const party = relyingParty(request.headers.get('origin'))
  return party === undefined ? noParty() : handle({ person, holder: identity.token.tokenId, party })
}

async function add(
  { server, body }: CallOf<typeof endpoints.addPasskey>,
  ceremony: Owned,
  reply: Answering<typeof endpoints.addPasskey>,
): Promise<Reply> {
  const { passkeys } = server.auth
  const made = await passkeys.verifyNew(ceremony, body.credential)
  if (made === undefined) return wrongPasskey()
  if (await passkeys.add(ceremony.person, made, body.name)) return reply(201, { id: made.id })
  return refuse(
    'usage',
    `You already have this passkey, or already have ${maxPasskeys} passkeys.`,
    {
      next: 'remove one that you no longer use.',
    },
  )
}

export function wrongPasskey(): Reply {
  return refuse('passkey_wrong', 'This passkey was not accepted.', {
    next: 'try again: each attempt is valid once, for two minutes, on the page that started it.',
  })
}

function noParty(): Reply {
  return refuse('usage', 'Passkeys work in a browser, at localhost or at an https address.', {
    next: 'open the dashboard at http://localhost and the port of the server, or use a PIN.',
  })
}

function shown({ id, name, host, createdAt, usedAt, isBackedUp }: Passkey): PasskeyLine {
  return { id, name, host, created_at: createdAt, used_at: usedAt, backed_up: isBackedUp }
}

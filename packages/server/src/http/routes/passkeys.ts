import { Id } from '@statewright/core/wire'
import { z } from 'zod'
import { NewCredential, UsedCredential } from '../auth/passkey-shapes.ts'
import type { Passkey } from '../auth/passkey-store.ts'
import { maxPasskeys } from '../auth/passkeys.ts'
import { type RelyingParty, relyingParty } from '../auth/relying-party.ts'
import { giveProof, personOf } from '../door/proof.ts'
import { json, type Reply, refuse } from '../door/reply.ts'
import { type Call, publicRoute, type Route, route } from '../door/route.ts'
import { holderOf, linkGone } from './login-link.ts'
import { passkeyScript } from './passkey-script.ts'

const Options = z.looseObject({ challenge: z.string() })
const Shown = z.object({
  id: z.string(),
  name: z.string(),
  host: z.string().describe('The address for which it was made, without the port.'),
  created_at: z.number(),
  used_at: z.number().nullable(),
  backed_up: z.boolean().describe('Whether it is copied to other devices of its owner.'),
})

/** Passkeys are set with a login link or by whoever has a proof, and never with a login alone. */
export const passkeyRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/passkeys',
    isLocal: true,
    who: 'person',
    summary: 'Your passkeys.',
    answers: { 200: z.object({ passkeys: z.array(Shown) }) },
    handle: async ({ parts, identity }) => {
      const passkeys = await parts.auth.passkeys.list(personOf(identity))
      return json(200, { passkeys: passkeys.map(shown) })
    },
  }),
  route({
    method: 'POST',
    path: '/api/passkeys/options',
    isLocal: true,
    who: 'person',
    summary: 'What a browser needs to make another passkey of yours.',
    proof: 'mint',
    body: z.object({}),
    answers: { 200: Options },
    handle: (call) =>
      asOwner(call, async (ceremony) =>
        json(200, await call.parts.auth.passkeys.creationOptions(ceremony)),
      ),
  }),
  route({
    method: 'POST',
    path: '/api/passkeys',
    isLocal: true,
    who: 'person',
    summary: 'Add the passkey that the browser made.',
    proof: 'mint',
    body: z.object({ credential: NewCredential, name: Id.optional() }),
    answers: { 201: z.object({ id: z.string() }) },
    handle: (call) => asOwner(call, (ceremony) => add(call, ceremony)),
  }),
  route({
    method: 'DELETE',
    path: '/api/passkeys/:id',
    isLocal: true,
    who: 'person',
    summary: 'Remove a passkey of yours.',
    proof: 'mint',
    answers: { 200: z.object({ id: z.string(), removed: z.literal(true) }) },
    handle: async ({ parts, identity, params }) => {
      const id = params.id ?? ''
      const isGone = await parts.auth.passkeys.remove(personOf(identity), id)
      if (isGone) return json(200, { id, removed: true })
      return refuse('not_found', 'You have no such passkey.', { next: 'see GET /api/passkeys.' })
    },
  }),
  route({
    method: 'POST',
    path: '/api/proof/passkey/options',
    isLocal: true,
    who: 'person',
    summary: 'What a browser needs to use a passkey of yours.',
    body: z.object({}),
    answers: { 200: Options },
    handle: (call) =>
      asOwner(call, async (ceremony) => {
        const options = await call.parts.auth.passkeys.proofOptions(ceremony)
        if (options !== undefined) return json(200, options)
        return refuse('passkey_wrong', 'You have no passkey for this address.', {
          next: 'open the address for which it was made, or use your PIN.',
        })
      }),
  }),
  route({
    method: 'POST',
    path: '/api/proof/passkey',
    isLocal: true,
    who: 'person',
    summary: 'Prove with a passkey that you are there; the proof is valid for ten minutes.',
    body: z.object({ credential: UsedCredential }),
    answers: { 201: z.object({ proof: z.string(), expires_at: z.number() }) },
    handle: (call) =>
      asOwner(call, async (ceremony) => {
        const isRight = await call.parts.auth.passkeys.check(ceremony, call.body.credential)
        return isRight ? giveProof(call.parts, ceremony.holder) : wrongPasskey()
      }),
  }),
  publicRoute({
    method: 'POST',
    path: '/login/:secret/passkey',
    isLocal: true,
    summary: 'What the page of a login link needs to make a passkey; it does not use the link up.',
    body: z.object({}),
    answers: { 200: Options },
    refusesGuarded: true,
    handle: async ({ parts, params, request }) => {
      const secret = params.secret ?? ''
      const link = parts.auth.links.find(secret)
      if (link === undefined) return linkGone()
      const party = relyingParty(request.headers.get('origin'))
      if (party === undefined) return noParty()
      const ceremony = { person: link.person, holder: holderOf(secret), party }
      return json(200, await parts.auth.passkeys.creationOptions(ceremony))
    },
  }),
  publicRoute({
    method: 'GET',
    path: '/passkey.js',
    summary: 'The script of the login pages, which asks the browser for a passkey.',
    answers: { 200: 'text' },
    handle: () => ({
      status: 200,
      type: 'text/javascript; charset=utf-8',
      payload: passkeyScript,
    }),
  }),
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
  { parts, body }: Call<{ credential: NewCredential; name?: string | undefined }, undefined>,
  ceremony: Owned,
): Promise<Reply> {
  const { passkeys } = parts.auth
  const made = await passkeys.verifyNew(ceremony, body.credential)
  if (made === undefined) return wrongPasskey()
  if (await passkeys.add(ceremony.person, made, body.name)) return json(201, { id: made.id })
  return refuse('usage', `You have this passkey already, or ${maxPasskeys} of them.`, {
    next: 'remove one that you no longer use.',
  })
}

export function wrongPasskey(): Reply {
  return refuse('passkey_wrong', 'This passkey was not accepted.', {
    next: 'try again: each try is good once, for two minutes, on the page that began it.',
  })
}

function noParty(): Reply {
  return refuse('usage', 'Passkeys work in a browser, at localhost or at an https address.', {
    next: 'open the dashboard at http://localhost and the port of the server, or use a PIN.',
  })
}

function shown({ id, name, host, createdAt, usedAt, isBackedUp }: Passkey) {
  return { id, name, host, created_at: createdAt, used_at: usedAt, backed_up: isBackedUp }
}

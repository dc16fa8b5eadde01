import { z } from 'zod'
import { Id, Time } from './basics.ts'
import { endpoint } from './endpoint.ts'

// Names in here are those of Web Authentication: browsers make and read these objects.

const Encoded = z.string().min(1).max(20_000)
const identity = { id: Encoded, rawId: Encoded, type: z.literal('public-key') }

/** What `navigator.credentials.create` gives, as its `toJSON` says it. */
export const NewCredential = z.object({
  ...identity,
  response: z.object({
    clientDataJSON: Encoded,
    attestationObject: Encoded,
    transports: z.array(z.string().max(50)).max(20).optional(),
  }),
})
export type NewCredential = z.infer<typeof NewCredential>

/** What `navigator.credentials.get` gives, as its `toJSON` says it. */
export const UsedCredential = z.object({
  ...identity,
  response: z.object({
    clientDataJSON: Encoded,
    authenticatorData: Encoded,
    signature: Encoded,
  }),
})
export type UsedCredential = z.infer<typeof UsedCredential>

const KnownCredential = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()),
})

/** What `PublicKeyCredential.parseCreationOptionsFromJSON` reads, to make a passkey. */
export const CredentialCreation = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number() })),
  timeout: z.number(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(KnownCredential),
  authenticatorSelection: z.object({
    residentKey: z.literal('preferred'),
    requireResidentKey: z.boolean(),
    userVerification: z.literal('required'),
  }),
})
export type CredentialCreation = z.infer<typeof CredentialCreation>

/** What `PublicKeyCredential.parseRequestOptionsFromJSON` reads, to use a passkey. */
export const CredentialRequest = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number(),
  allowCredentials: z.array(KnownCredential),
  userVerification: z.literal('required'),
})
export type CredentialRequest = z.infer<typeof CredentialRequest>

/** A passkey without its key. */
export const Passkey = z.object({
  id: z.string(),
  name: z.string(),
  host: z.string().describe('The address for which it was made, without the port.'),
  created_at: Time,
  used_at: Time.nullable(),
  backed_up: z.boolean().describe('Whether it is copied to other devices of its owner.'),
})
export type Passkey = z.infer<typeof Passkey>

/** Passkeys are set with a login link or by whoever has a proof, and never with a login alone. */
export const passkeyEndpoints = {
  listPasskeys: endpoint({
    method: 'GET',
    path: '/api/passkeys',
    who: 'person',
    summary: 'Your passkeys.',
    answers: { 200: z.object({ passkeys: z.array(Passkey) }) },
  }),
  requestPasskey: endpoint({
    method: 'POST',
    path: '/api/passkeys/options',
    who: 'person',
    summary: 'What a browser needs to create another passkey.',
    proof: 'mint',
    body: z.strictObject({}),
    answers: { 200: CredentialCreation },
  }),
  addPasskey: endpoint({
    method: 'POST',
    path: '/api/passkeys',
    who: 'person',
    summary: 'Add the passkey that the browser made.',
    proof: 'mint',
    body: z.strictObject({ credential: NewCredential, name: Id.optional() }),
    answers: { 201: z.object({ id: z.string() }) },
  }),
  removePasskey: endpoint({
    method: 'DELETE',
    path: '/api/passkeys/:id',
    who: 'person',
    summary: 'Remove one of your passkeys.',
    proof: 'mint',
    answers: { 200: z.object({ id: z.string(), removed: z.literal(true) }) },
  }),
  requestFirstPasskey: endpoint({
    method: 'POST',
    path: '/login/:secret/passkey',
    who: 'public',
    summary: 'What the page of a login link needs to make a passkey; it does not use the link up.',
    body: z.strictObject({}),
    answers: { 200: CredentialCreation },
  }),
  getPasskeyScript: endpoint({
    method: 'GET',
    path: '/passkey.js',
    who: 'public',
    summary: 'The script of the login pages, which asks the browser for a passkey.',
    answers: { 200: 'text' },
  }),
}

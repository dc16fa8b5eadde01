import { z } from 'zod'
import { Time } from './basics.ts'
import { endpoint } from './endpoint.ts'
import { CredentialRequest, UsedCredential } from './passkey.ts'

/** What a person proves with that they are there. */
export const Factor = z.enum(['passkey', 'pin', 'oidc'])
export type Factor = z.infer<typeof Factor>

/** Sent along in the header `x-statewright-proof`. */
export const Proof = z.object({ proof: z.string(), expires_at: Time })
export type Proof = z.infer<typeof Proof>

export const pinLength = { min: 6, max: 64 } as const

/** A PIN that somebody chooses. */
export const Pin = z.string().min(pinLength.min).max(pinLength.max)

const Ticket = z.string().min(1).max(200)

/** What a fresh login at the identity provider is waited for with. */
export const ProofTicket = z.object({
  ticket: z.string(),
  user_code: z.string().describe('What the person types on the page.'),
  verification_url: z.string().describe('The page on which they do.'),
  expires_in_s: z.number(),
  interval_s: z.number().describe('How long to wait before asking again.'),
})
export type ProofTicket = z.infer<typeof ProofTicket>

/** The ways in which a person proves to be there (PE-2). */
export const proofEndpoints = {
  proveByPin: endpoint({
    method: 'POST',
    path: '/api/proof',
    who: 'person',
    summary: 'Confirm with your PIN that it is you; the proof is valid for ten minutes.',
    body: z.strictObject({ pin: z.string().min(1).max(pinLength.max) }),
    answers: { 201: Proof },
  }),
  setPin: endpoint({
    method: 'PUT',
    path: '/api/pin',
    who: 'person',
    summary: 'Change the PIN. The first one is chosen on the page of a login link.',
    proof: 'mint',
    body: z.strictObject({ pin: Pin }),
    answers: { 200: z.object({ set: z.literal(true) }) },
  }),
  requestPasskeyProof: endpoint({
    method: 'POST',
    path: '/api/proof/passkey/options',
    who: 'person',
    summary: 'What a browser needs to use one of your passkeys.',
    body: z.strictObject({}),
    answers: { 200: CredentialRequest },
  }),
  proveByPasskey: endpoint({
    method: 'POST',
    path: '/api/proof/passkey',
    who: 'person',
    summary: 'Confirm with a passkey that it is you; the proof is valid for ten minutes.',
    body: z.strictObject({ credential: UsedCredential }),
    answers: { 201: Proof },
  }),
  requestOidcProof: endpoint({
    method: 'POST',
    path: '/api/proof/oidc',
    who: 'person',
    summary: 'Ask for a proof by a fresh login at the identity provider.',
    body: z.strictObject({}),
    answers: { 201: ProofTicket },
  }),
  claimOidcProof: endpoint({
    method: 'POST',
    path: '/api/proof/oidc/token',
    who: 'person',
    summary: 'Ask whether the fresh login is done; the proof comes once, valid for ten minutes.',
    body: z.strictObject({ ticket: Ticket }),
    answers: { 200: z.object({ waiting: z.literal(true) }), 201: Proof },
  }),
  openOidcProof: endpoint({
    method: 'POST',
    path: '/oidc/prove',
    who: 'person',
    summary: 'What the dashboard sends in another tab: leads to a fresh login at the provider.',
    reads: 'form',
    body: z.strictObject({ ticket: Ticket }),
    answers: { 200: 'text' },
  }),
}

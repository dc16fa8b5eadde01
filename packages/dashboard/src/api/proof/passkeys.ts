import { endpoints, NewCredential, type Proof, UsedCredential } from '@statewright/core/wire'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../client/client.ts'
import { apiFault } from '../client/problem.ts'

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  staleTime: 0,
  queryFn: async ({ signal }) => (await call(endpoints.listPasskeys, { signal })).passkeys,
})

/** Whether this browser has passkeys for this page: browsers refuse them at an IP address. */
export function hasPasskeys(): boolean {
  const isKnown =
    'PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential
  return isKnown && isSecureContext && !isIpAddress(location.hostname)
}

/** The same page under a name for which there are passkeys, where there is one. */
export function namedAddress(): string | undefined {
  if (location.hostname !== '127.0.0.1') return undefined
  const there = new URL(location.href)
  there.hostname = 'localhost'
  return there.href
}

function isIpAddress(host: string): boolean {
  return /^[\d.]+$|^\[/.test(host)
}

/** Lets the browser make a passkey, and keeps it under a name. */
export async function addPasskey(name: string): Promise<void> {
  const options = await call(endpoints.requestPasskey, { body: {} })
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const credential = await byBrowser(navigator.credentials.create({ publicKey }), NewCredential)
  const named = name.trim() === '' ? {} : { name: name.trim() }
  await call(endpoints.addPasskey, { body: { credential, ...named } })
}

export async function removePasskey(id: string): Promise<void> {
  await call(endpoints.removePasskey, { params: { id } })
}

/** Lets the person use a passkey, and takes the answer for a proof. */
export async function proveByPasskey(): Promise<Proof> {
  const options = await call(endpoints.requestPasskeyProof, { body: {} })
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const credential = await byBrowser(navigator.credentials.get({ publicKey }), UsedCredential)
  return call(endpoints.proveByPasskey, { body: { credential } })
}

/** Browsers do not say why nothing came of it: the person left, took too long, or has none. */
async function byBrowser<Value>(
  credential: Promise<Credential | null>,
  shape: { safeParse(value: unknown): { success: true; data: Value } | { success: false } },
): Promise<Value> {
  const given = await credential.catch(() => null)
  const read = shape.safeParse(given instanceof PublicKeyCredential ? given.toJSON() : null)
  if (read.success) return read.data
  const message = 'The browser gave no passkey.'
  throw apiFault({ status: 0, code: 'passkey_wrong', message, next: 'try again.' })
}

import { queryOptions } from '@tanstack/react-query'
import { ask, segment } from './client.ts'
import { apiFault } from './problem.ts'
import type { Proof } from './proof.ts'

/** A passkey of the person who looks. */
export interface PasskeyLine {
  readonly id: string
  readonly name: string
  /** The address for which it was made, without the port. */
  readonly host: string
  readonly created_at: number
  readonly used_at: number | null
}

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  staleTime: 0,
  queryFn: async ({ signal }) => {
    const answer = await ask<{ passkeys: PasskeyLine[] }>('GET', '/api/passkeys', { signal })
    return answer.passkeys
  },
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
  const options = await ask<PublicKeyCredentialCreationOptionsJSON>(
    'POST',
    '/api/passkeys/options',
    { body: {} },
  )
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const credential = await byBrowser(navigator.credentials.create({ publicKey }))
  const named = name.trim() === '' ? {} : { name: name.trim() }
  await ask('POST', '/api/passkeys', { body: { credential, ...named } })
}

export async function removePasskey(id: string): Promise<void> {
  await ask('DELETE', `/api/passkeys/${segment(id)}`)
}

/** Lets the person use a passkey, and takes the answer for a proof. */
export async function proveByPasskey(): Promise<Proof> {
  const options = await ask<PublicKeyCredentialRequestOptionsJSON>(
    'POST',
    '/api/proof/passkey/options',
    { body: {} },
  )
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const credential = await byBrowser(navigator.credentials.get({ publicKey }))
  return ask<Proof>('POST', '/api/proof/passkey', { body: { credential } })
}

/** Browsers do not say why nothing came of it: the person left, took too long, or has none. */
async function byBrowser(asked: Promise<Credential | null>): Promise<object> {
  const given = await asked.catch(() => null)
  if (given instanceof PublicKeyCredential) return given.toJSON()
  const message = 'The browser gave no passkey.'
  throw apiFault({ status: 0, code: 'passkey_wrong', message, next: 'try again.' })
}

import type { Factor } from '@statewright/core/wire'
import type { Auth } from './auth.ts'
import { providerIdOf } from './oidc/claims.ts'

/** What a person has chosen, the better one first; a provider's people log in there afresh. */
export async function factorsOf(
  { passkeys, pins }: Pick<Auth, 'passkeys' | 'pins'>,
  person: string,
): Promise<readonly Factor[]> {
  if (providerIdOf(person) !== undefined) return ['oidc']
  const hasPasskey = await passkeys.isSet(person)
  const hasPin = await pins.isSet(person)
  return [...(hasPasskey ? (['passkey'] as const) : []), ...(hasPin ? (['pin'] as const) : [])]
}

import type { Auth } from './auth.ts'

/** What a person proves with that they are there. */
export type Factor = 'passkey' | 'pin'

/** What a person has chosen, the better one first. */
export async function factorsOf(
  { passkeys, pins }: Pick<Auth, 'passkeys' | 'pins'>,
  person: string,
): Promise<readonly Factor[]> {
  const hasPasskey = await passkeys.isSet(person)
  const hasPin = await pins.isSet(person)
  return [...(hasPasskey ? (['passkey'] as const) : []), ...(hasPin ? (['pin'] as const) : [])]
}

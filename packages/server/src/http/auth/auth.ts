import type { Factor } from '@statewright/core/wire'
import type { Clock } from '../../base/clock.ts'
import type { Store } from '../../store/store.ts'
import { DeviceLogins } from './device-logins.ts'
import { GuardedProcesses } from './guarded-processes.ts'
import { SeenRequests } from './hook-signature.ts'
import { LoginLinks } from './login-links.ts'
import { providerIdOf } from './oidc/claims.ts'
import { Oidc } from './oidc/oidc.ts'
import type { ClientSecret, OidcSettings } from './oidc/settings.ts'
import { Passkeys } from './passkeys.ts'
import { Pins } from './pin.ts'
import { TokenCache } from './token-cache.ts'

export type { ClientSecret, OidcSettings }

/** Everything that tells people, agents and strangers apart. */
export interface Auth {
  readonly tokens: TokenCache
  readonly links: LoginLinks
  readonly devices: DeviceLogins
  readonly pins: Pins
  readonly passkeys: Passkeys
  readonly oidc: Oidc
  readonly guarded: GuardedProcesses
  readonly seenRequests: SeenRequests
}

export function createAuth(options: {
  readonly store: Store
  readonly clock: Clock
  /** Told when somebody tries PINs. */
  readonly alarm?: (message: string) => void
  /** Told why the answer of a passkey was not taken. */
  readonly onRefusedPasskey?: (fault: unknown) => void
  /** The identity provider of people, read again for each; none when left out. */
  readonly oidc?: () => OidcSettings | undefined
}): Auth {
  const { store, clock, alarm = () => {}, onRefusedPasskey = () => {} } = options
  const provider = options.oidc ?? (() => undefined)
  return {
    tokens: new TokenCache(store.tokens, clock),
    links: new LoginLinks(clock),
    devices: new DeviceLogins(clock),
    pins: new Pins(store.settings, clock, alarm),
    passkeys: new Passkeys(store.settings, clock, onRefusedPasskey),
    oidc: new Oidc(clock, provider),
    guarded: new GuardedProcesses(),
    seenRequests: new SeenRequests(clock),
  }
}

export const testPersonMark = 'statewright up --test-person'
const testPersonMs = 24 * 60 * 60_000

/**
 * A person's token for tests and automation, which have nobody to type a PIN: it needs no proof.
 * Anyone who starts a server with it is told so loudly.
 */
export async function mintTestPerson(auth: Auth, clock: Clock): Promise<string> {
  const { secret } = await auth.tokens.mint({
    kind: 'person',
    name: 'test person',
    createdBy: testPersonMark,
    expiresAt: clock.now() + testPersonMs,
  })
  return secret
}

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

import type { Clock } from '../../runtime/clock.ts'
import type { Store } from '../../store/store.ts'
import { DeviceLogins } from './device-logins.ts'
import { GuardedProcesses } from './guarded-processes.ts'
import { LoginLinks } from './login-links.ts'
import { Pin } from './pin.ts'
import { TokenBook } from './token-book.ts'

/** When a person must prove to be at the keyboard: for dangerous definitions, always, or never. */
export type StepUpRule = 'dangerous' | 'always' | 'never'

/** Everything that tells people, agents and strangers apart. */
export interface Auth {
  readonly tokens: TokenBook
  readonly links: LoginLinks
  readonly devices: DeviceLogins
  readonly pin: Pin
  readonly guarded: GuardedProcesses
  readonly stepUp: StepUpRule
}

export function createAuth(options: {
  readonly store: Store
  readonly clock: Clock
  readonly stepUp?: StepUpRule
  /** Told when somebody tries PINs. */
  readonly alarm?: (message: string) => void
}): Auth {
  const { store, clock, stepUp = 'dangerous', alarm = () => {} } = options
  return {
    tokens: new TokenBook(store.tokens, clock),
    links: new LoginLinks(clock),
    devices: new DeviceLogins(clock),
    pin: new Pin(store.settings, clock, alarm),
    guarded: new GuardedProcesses(),
    stepUp,
  }
}

export const testPersonMark = 'statewright up --test-person'
const testPersonMs = 24 * 60 * 60_000

/**
 * A person's token for tests and automation, which have nobody to type a PIN: it passes step-up.
 * Whoever starts a server with it is told so loudly.
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

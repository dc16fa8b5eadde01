import { stableText } from '@statewright/core/internal'
import type { Clock } from '../../../base/clock.ts'
import type { OidcConfig } from '../../../config/oidc-schema.ts'
import type { TokenRow } from '../../../store/store.ts'
import { Attempts } from './attempts.ts'
import { providerIdOf } from './claims.ts'
import { ProofRequests } from './proof-requests.ts'
import { Provider } from './provider.ts'
import type { OidcSettings } from './settings.ts'

export interface ActiveOidc {
  readonly config: OidcConfig
  readonly provider: Provider
}

/** Logins of the identity provider, while one is configured. */
export class Oidc {
  readonly attempts: Attempts
  readonly proofs: ProofRequests
  readonly #read: () => OidcSettings | undefined
  readonly #clock: Clock
  #active: ActiveOidc | undefined

  constructor(clock: Clock, read: () => OidcSettings | undefined) {
    this.#clock = clock
    this.#read = read
    this.attempts = new Attempts(clock)
    this.proofs = new ProofRequests(clock)
  }

  /** What holds now: another provider, or other roles, end what is on its way. */
  active(): ActiveOidc | undefined {
    const settings = this.#read()
    const before = this.#active?.config
    if (stableText(settings?.config ?? null) === stableText(before ?? null)) return this.#active
    this.attempts.clear()
    this.#active = settings && {
      config: settings.config,
      provider: new Provider(settings, () => this.#clock.now()),
    }
    return this.#active
  }

  /**
   * Whether a login that counts for itself counts under this configuration: with a provider only
   * its own people's, and without one nobody's whom one has named (PE-12).
   */
  counts({ person, verbs }: Pick<TokenRow, 'person' | 'verbs'>): boolean {
    const id = providerIdOf(person)
    if (id === undefined) return this.hasLocalLogins()
    return this.#read()?.config.issuer === id.issuer && verbs !== null
  }

  /** Whether people may log in by links and prove by passkeys and PINs. */
  hasLocalLogins(): boolean {
    const settings = this.#read()
    return settings === undefined || settings.config.break_glass === true
  }
}

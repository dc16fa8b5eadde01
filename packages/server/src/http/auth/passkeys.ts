import type {
  CredentialCreation,
  CredentialRequest,
  NewCredential,
  UsedCredential,
} from '@statewright/core/wire'
import type { Clock } from '../../base/clock.ts'
import type { SettingStore } from '../../store/store.ts'
import { Challenges, type ChallengeUse } from './challenges.ts'
import { type Passkey, PasskeyStore } from './passkey-store.ts'
import type { RelyingParty } from './relying-party.ts'

/** Far more devices than anybody has. */
export const maxPasskeys = 20

/** Whose passkey it is to be or to prove, who asked for the challenge, and on which page. */
export interface Ceremony {
  readonly person: string
  /** The login, or the login link. */
  readonly holder: string
  readonly party: RelyingParty
}

/** It takes longer to load than the rest of the server, and most starts never need it. */
const webauthn = () => import('./webauthn.ts')

/** The passkeys by which people prove to be there. */
export class Passkeys {
  readonly #store: PasskeyStore
  readonly #clock: Clock
  readonly #challenges: Challenges
  readonly #onRefused: (fault: unknown) => void

  constructor(settings: SettingStore, clock: Clock, onRefused: (fault: unknown) => void) {
    this.#store = new PasskeyStore(settings)
    this.#clock = clock
    this.#challenges = new Challenges(clock)
    this.#onRefused = onRefused
  }

  list(person: string): Promise<readonly Passkey[]> {
    return this.#store.list(person)
  }

  async isSet(person: string): Promise<boolean> {
    return (await this.list(person)).length > 0
  }

  /** What a browser is asked, to make a passkey. */
  async creationOptions(ceremony: Ceremony): Promise<CredentialCreation> {
    const { person, party } = ceremony
    const { askForNew } = await webauthn()
    const options = await askForNew({ person, party, present: await this.#of(ceremony) })
    this.#challenges.open(options.challenge, useOf('create', ceremony))
    return options
  }

  /** The passkey that a browser made, if it answers a challenge of ours; it is not stored yet. */
  async verifyNew(
    ceremony: Ceremony,
    credential: NewCredential,
  ): Promise<Omit<Passkey, 'name'> | undefined> {
    const { readNew } = await webauthn()
    const made = await this.#read(() => readNew(credential, this.#expected('create', ceremony)))
    return made && { ...made, createdAt: this.#clock.now(), usedAt: null }
  }

  /** False where there are too many, or it is there already. */
  add(person: string, passkey: Omit<Passkey, 'name'>, name?: string): Promise<boolean> {
    return this.#store.change(person, (passkeys) => {
      if (passkeys.length >= maxPasskeys) return undefined
      if (passkeys.some(({ id }) => id === passkey.id)) return undefined
      return [...passkeys, { ...passkey, name: name ?? `passkey ${passkeys.length + 1}` }]
    })
  }

  remove(person: string, id: string): Promise<boolean> {
    return this.#store.change(person, (passkeys) =>
      passkeys.some((one) => one.id === id) ? passkeys.filter((one) => one.id !== id) : undefined,
    )
  }

  /** What a browser is asked, to use a passkey; undefined where none was made for its address. */
  async proofOptions(ceremony: Ceremony): Promise<CredentialRequest | undefined> {
    const passkeys = await this.#of(ceremony)
    if (passkeys.length === 0) return undefined
    const options = await (await webauthn()).askForUse(ceremony.party, passkeys)
    this.#challenges.open(options.challenge, useOf('prove', ceremony))
    return options
  }

  /** Whether a passkey of this person has just signed a challenge that was given to this login. */
  async check(ceremony: Ceremony, credential: UsedCredential): Promise<boolean> {
    const passkey = (await this.#of(ceremony)).find(({ id }) => id === credential.id)
    if (passkey === undefined) return false
    const { readUse } = await webauthn()
    const expected = this.#expected('prove', ceremony)
    const used = await this.#read(() => readUse(passkey, credential, expected))
    return used !== undefined && this.#noteUse(ceremony.person, passkey.id, used)
  }

  /** A counter that another answer has passed meanwhile is one of a copy. */
  #noteUse(
    person: string,
    id: string,
    used: Pick<Passkey, 'counter' | 'isBackedUp'>,
  ): Promise<boolean> {
    return this.#store.change(person, (passkeys) => {
      const found = passkeys.find((one) => one.id === id)
      if (found === undefined) return undefined
      const counts = used.counter > 0 || found.counter > 0
      if (counts && used.counter <= found.counter) return undefined
      const now = { ...found, ...used, usedAt: this.#clock.now() }
      return passkeys.map((one) => (one.id === id ? now : one))
    })
  }

  #expected(purpose: ChallengeUse['purpose'], ceremony: Ceremony) {
    const use = useOf(purpose, ceremony)
    const takeChallenge = (challenge: string) => this.#challenges.take(challenge, use)
    return { party: ceremony.party, takeChallenge }
  }

  /** Whatever is wrong with an answer, it does not count. */
  async #read<Value>(read: () => Promise<Value | undefined>): Promise<Value | undefined> {
    try {
      return await read()
    } catch (fault) {
      this.#onRefused(fault)
      return undefined
    }
  }

  async #of({ person, party }: Ceremony): Promise<readonly Passkey[]> {
    return (await this.list(person)).filter(({ host }) => host === party.id)
  }
}

function useOf(purpose: ChallengeUse['purpose'], { holder, party }: Ceremony): ChallengeUse {
  return { purpose, holder, origin: party.origin }
}

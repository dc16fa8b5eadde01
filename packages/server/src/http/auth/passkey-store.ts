import type { SettingStore } from '../../store/store.ts'

/** What is stored of a passkey: the key with which its answers are checked is no secret. */
export interface Passkey {
  /** As the authenticator calls it, in base64url. */
  readonly id: string
  readonly name: string
  /** The host for which it was made; it works under no other. */
  readonly host: string
  /** In base64url. */
  readonly publicKey: string
  /** Of signatures, by authenticators that count them. */
  readonly counter: number
  readonly transports: readonly string[]
  /** Whether it is copied to other devices of its owner. */
  readonly isBackedUp: boolean
  readonly createdAt: number
  readonly usedAt: number | null
}

const maxSwaps = 20

/** The passkeys of people, beside their PINs. */
export class PasskeyStore {
  readonly #settings: SettingStore

  constructor(settings: SettingStore) {
    this.#settings = settings
  }

  async list(person: string): Promise<readonly Passkey[]> {
    return read(await this.#settings.get(keyOf(person)))
  }

  /** Changes the list, also while others do; false where `next` would not have it. */
  async change(
    person: string,
    next: (passkeys: readonly Passkey[]) => readonly Passkey[] | undefined,
  ): Promise<boolean> {
    for (let swap = 0; swap < maxSwaps; swap++) {
      const stored = await this.#settings.get(keyOf(person))
      const changed = next(read(stored))
      if (changed === undefined) return false
      if (await this.#settings.swap(keyOf(person), stored, JSON.stringify(changed))) return true
    }
    return false
  }
}

function keyOf(person: string): string {
  return `auth.passkeys.${person}`
}

function read(stored: string | undefined): readonly Passkey[] {
  return stored === undefined ? [] : (JSON.parse(stored) as Passkey[]) // We wrote it.
}

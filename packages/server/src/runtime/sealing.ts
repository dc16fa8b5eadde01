import { createHmac, randomBytes } from 'node:crypto'
import type { Sealing } from '@statewright/core/internal'
import { coverField, sealedMark } from '../base/redact.ts'
import type { Store } from '../store/store.ts'

const keyName = 'sealing_key'

/**
 * Makes secrets unreadable and keeps them comparable (FC-7): equal ones get the same keyed hash, on
 * every node, and without the key nobody tells by trying which secret it was.
 */
export class Sealings {
  readonly #store: Store
  #known: Promise<Sealing> | undefined

  constructor(store: Store) {
    this.#store = store
  }

  sealing(): Promise<Sealing> {
    this.#known ??= this.#make()
    // A store that failed once may answer the next time.
    this.#known.catch(() => {
      this.#known = undefined
    })
    return this.#known
  }

  async #make(): Promise<Sealing> {
    const key = await this.#key()
    const seal = (text: string) =>
      `sealed:${createHmac('sha256', key).update(text).digest('hex').slice(0, 32)}`
    // Who sends a hash that a denial showed has not named what it stands for.
    const plain = (text: string) => text.replaceAll(sealedMark, seal)
    return { seal, hide: (text, name) => coverField(plain(text), name, seal) }
  }

  async #key(): Promise<string> {
    const { settings } = this.#store
    const known = await settings.get(keyName)
    if (known !== undefined) return known
    const made = randomBytes(32).toString('base64')
    if (await settings.swap(keyName, undefined, made)) return made
    return (await settings.get(keyName)) ?? made
  }
}

import { stableText } from '@statewright/core/internal'
import type { Store } from '../store/store.ts'
import type { ModeOverride } from './mode-override.ts'
import { defaults, type Settings } from './schema.ts'

interface Texts {
  readonly accepted: string | undefined
  readonly mode: string | undefined
}

type SettingsStore = Pick<Store, 'settings'>

const keys: Readonly<Record<keyof Texts, string>> = {
  accepted: 'config.accepted',
  mode: 'config.mode',
}

/** Another node has decided since its words were read. */
export const overtaken = Symbol('overtaken')
export type Overtaken = typeof overtaken
const maxTries = 20

/**
 * What was decided on the configuration, as the store has it. One decision is made at a time, and
 * is written only over what was read: what a person was told to hold is never overwritten by a node
 * that did not know of it (ND-1).
 */
export class ConfigWords {
  readonly #store: SettingsStore
  #texts: Texts
  #accepted: Settings | null
  #last: Promise<unknown> = Promise.resolve()

  private constructor(store: SettingsStore, texts: Texts) {
    this.#store = store
    this.#texts = texts
    this.#accepted = acceptedIn(texts)
  }

  static async read(store: SettingsStore): Promise<ConfigWords> {
    return new ConfigWords(store, await readTexts(store))
  }

  get accepted(): Settings | null {
    return this.#accepted
  }

  get mode(): ModeOverride | null {
    const { mode } = this.#texts
    return mode === undefined ? null : JSON.parse(mode) // Only ever written below.
  }

  /** Reads again; whether another node has decided anything. */
  async refresh(): Promise<boolean> {
    const before = this.#texts
    this.#set(await readTexts(this.#store))
    return before.accepted !== this.#texts.accepted || before.mode !== this.#texts.mode
  }

  /** False where it was overtaken. */
  writeAccepted(accepted: {
    readonly settings: Settings
    readonly by: string
    readonly at: number
  }): Promise<boolean> {
    return this.#write('accepted', JSON.stringify(accepted))
  }

  /** The same for the mode. */
  async writeMode(mode: ModeOverride): Promise<boolean> {
    const known = this.mode
    if (known !== null && stableText(known) === stableText(mode)) return true
    return this.#write('mode', JSON.stringify(mode))
  }

  /** Decides in turn, and again where it was overtaken. */
  decide<Made>(
    make: () => Promise<Made | Overtaken>,
    takeOver: () => Promise<unknown>,
  ): Promise<Made> {
    const inTurn = async (): Promise<Made> => {
      for (let tries = 0; tries < maxTries; tries++) {
        const made = await make()
        if (made !== overtaken) return made
        await takeOver()
      }
      throw new Error(`the configuration was changed by others ${maxTries} times in a row`)
    }
    const made = this.#last.then(inTurn, inTurn)
    this.#last = made
    return made
  }

  async #write(key: keyof Texts, text: string): Promise<boolean> {
    if (!(await this.#store.settings.swap(keys[key], this.#texts[key], text))) return false
    this.#set({ ...this.#texts, [key]: text })
    return true
  }

  #set(texts: Texts): void {
    this.#texts = texts
    this.#accepted = acceptedIn(texts)
  }
}

async function readTexts({ settings }: SettingsStore): Promise<Texts> {
  return { accepted: await settings.get(keys.accepted), mode: await settings.get(keys.mode) }
}

/** Keys that a newer version added have their defaults in what an older one accepted. */
function acceptedIn({ accepted }: Texts): Settings | null {
  return accepted === undefined ? null : { ...defaults, ...JSON.parse(accepted).settings }
}

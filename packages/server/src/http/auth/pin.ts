import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import type { SettingStore } from '../../store/store.ts'
import { Tries } from './tries.ts'

export type PinAnswer =
  | { readonly kind: 'right' | 'wrong' | 'unset' }
  | { readonly kind: 'wait'; readonly seconds: number }

const alarmAt = 5
const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }
const keyBytes = 32

/** The PINs by which people prove to be at the keyboard, one for each. */
export class Pins {
  readonly #settings: SettingStore
  readonly #tries: Tries
  readonly #alarm: (message: string) => void

  constructor(settings: SettingStore, clock: Clock, alarm: (message: string) => void) {
    this.#settings = settings
    this.#tries = new Tries(settings, clock)
    this.#alarm = alarm
  }

  async isSet(person: string): Promise<boolean> {
    return (await this.#settings.get(keyOf(person))) !== undefined
  }

  /** Sets the first PIN, or replaces one whose owner has just proved to be there. */
  async set(person: string, pin: string): Promise<void> {
    const salt = randomBytes(16)
    const key = await derive(pin, salt)
    await this.#settings.set(keyOf(person), `scrypt:${salt.toString('hex')}:${key.toString('hex')}`)
  }

  /** `login` is the token with which it came: each waits for its own mistakes. */
  async check(person: string, pin: string, login: string): Promise<PinAnswer> {
    const stored = await this.#settings.get(keyOf(person))
    if (stored === undefined) return { kind: 'unset' }
    const begun = await this.#tries.begin(login)
    if ('waitMs' in begun) return { kind: 'wait', seconds: Math.ceil(begun.waitMs / 1000) }
    const [, salt = '', key = ''] = stored.split(':')
    const given = await derive(pin, Buffer.from(salt, 'hex'))
    const wanted = Buffer.from(key, 'hex')
    if (wanted.length === given.length && timingSafeEqual(wanted, given)) {
      await this.#tries.forget(login)
      return { kind: 'right' }
    }
    if (begun.tries % alarmAt === 0) {
      this.#alarm(`The login ${login} entered a wrong PIN ${begun.tries} times in a row.`)
    }
    return { kind: 'wrong' }
  }
}

function keyOf(person: string): string {
  return `auth.pin.${person}`
}

function derive(pin: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(pin.normalize('NFKC'), salt, keyBytes, cost, (fault, key) => {
      if (fault === null) resolve(key)
      else reject(fault)
    })
  })
}

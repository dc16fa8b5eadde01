import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../runtime/clock.ts'
import type { SettingStore } from '../../store/store.ts'

export type PinAnswer = 'right' | 'wrong' | 'locked' | 'unset'

const setting = 'auth.pin'
const mostWrong = 5
const lockMs = 15 * 60_000
const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }
const keyBytes = 32

export const pinLength = { least: 4, most: 64 } as const

/** The PIN for what only the person at the keyboard may do. Five wrong ones lock it. */
export class Pin {
  readonly #settings: SettingStore
  readonly #clock: Clock
  readonly #alarm: (message: string) => void
  #wrong = 0
  #lockedUntil = 0

  constructor(settings: SettingStore, clock: Clock, alarm: (message: string) => void) {
    this.#settings = settings
    this.#clock = clock
    this.#alarm = alarm
  }

  async isSet(): Promise<boolean> {
    return (await this.#settings.get(setting)) !== undefined
  }

  /** Sets the first PIN, or replaces one whose owner has just proved to know it. */
  async set(pin: string): Promise<void> {
    const salt = randomBytes(16)
    const key = await derive(pin, salt)
    await this.#settings.set(setting, `scrypt:${salt.toString('hex')}:${key.toString('hex')}`)
  }

  async check(pin: string): Promise<PinAnswer> {
    const stored = await this.#settings.get(setting)
    if (stored === undefined) return 'unset'
    if (this.#clock.now() < this.#lockedUntil) return 'locked'
    // Counted before it is looked at: a hundred guesses at once must not be a hundred tries.
    this.#wrong += 1
    if (this.#wrong > mostWrong) return this.#lock()
    const [, salt = '', key = ''] = stored.split(':')
    const given = await derive(pin, Buffer.from(salt, 'hex'))
    const wanted = Buffer.from(key, 'hex')
    if (wanted.length === given.length && timingSafeEqual(wanted, given)) {
      this.#wrong = 0
      return 'right'
    }
    if (this.#wrong >= mostWrong) return this.#lock()
    return 'wrong'
  }

  #lock(): 'locked' {
    this.#wrong = 0
    this.#lockedUntil = this.#clock.now() + lockMs
    this.#alarm('The PIN was wrong five times: step-up is locked for 15 minutes.')
    return 'locked'
  }
}

function derive(pin: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(pin.normalize('NFKC'), salt, keyBytes, cost, (fault, key) => {
      if (fault === null) resolve(key)
      else reject(fault)
    })
  })
}

import { invariant } from './invariant.ts'

/**
 * A map that never holds more than its limit: with one more, the entry that was set longest ago is
 * forgotten. Reading does not make an entry young again; who wants the least recently used to go
 * sets what it has read.
 */
export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Value>()
  readonly #limit: number

  constructor(limit: number) {
    invariant(limit > 0, 'a bounded map has room for an entry')
    this.#limit = limit
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key)
  }

  keys(): Iterable<Key> {
    return this.#entries.keys()
  }

  has(key: Key): boolean {
    return this.#entries.has(key)
  }

  /** Makes the entry the youngest. */
  set(key: Key, value: Value): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size <= this.#limit) return
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest)
      return
    }
  }

  delete(key: Key): boolean {
    return this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
  }

  /** The oldest first. */
  [Symbol.iterator](): Iterator<[Key, Value]> {
    return this.#entries[Symbol.iterator]()
  }
}

/** Names of the last things that happened; what is older than so many is forgotten. */
export class RecentKeys {
  readonly #keys = new Set<string>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  add(key: string): void {
    this.#keys.delete(key)
    this.#keys.add(key)
    if (this.#keys.size <= this.#most) return
    const oldest = this.#keys.values().next().value
    if (oldest !== undefined) this.#keys.delete(oldest)
  }

  /** Forgets one; false where it was not known. */
  delete(key: string): boolean {
    return this.#keys.delete(key)
  }

  has(key: string): boolean {
    return this.#keys.has(key)
  }
}

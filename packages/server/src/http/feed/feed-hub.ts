import type { FeedStore } from '../../store/store.ts'

export const maxReaders = 200

/** One ear at the store for all who read the feed here. */
export class FeedHub {
  readonly #feed: FeedStore
  readonly #wakers = new Set<() => void>()
  #listening: Promise<() => Promise<void>> | undefined

  constructor(feed: FeedStore) {
    this.#feed = feed
  }

  get readers(): number {
    return this.#wakers.size
  }

  /** Calls back whenever something may have been committed, until it is given up. */
  async subscribe(wake: () => void): Promise<() => void> {
    this.#wakers.add(wake)
    try {
      this.#listening ??= this.#feed.listen(() => {
        for (const one of this.#wakers) one()
      })
      await this.#listening
    } catch (fault) {
      this.#wakers.delete(wake)
      this.#listening = undefined
      throw fault
    }
    return () => {
      this.#wakers.delete(wake)
    }
  }

  async close(): Promise<void> {
    const listening = this.#listening
    this.#listening = undefined
    this.#wakers.clear()
    const stop = await listening?.catch(() => undefined)
    await stop?.()
  }
}

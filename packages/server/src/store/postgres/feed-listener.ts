import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Connections } from './connections.ts'

const firstPauseMs = 100
const longestPauseMs = 5000
/** Between looks at entries that wait for an older transaction. */
const latePauseMs = 50
/** Under load there is news all the time: readers hear of all that came within this time once. */
const betweenMs = 25
/** A network that fails without a word would leave readers asleep: they look now and then. */
const unaskedMs = 10_000

/**
 * Whether entries are held back by an older transaction. It asks for the newest entry and compares:
 * asked for any entry that is new enough, a database that has no statistics yet reads all of them.
 */
export const lateQuery = `SELECT (SELECT xid FROM entries ORDER BY xid DESC LIMIT 1)
  >= pg_snapshot_xmin(pg_current_snapshot()) AS late`

/**
 * Waits for notices on a connection of its own, which it opens again when it breaks. Then, and
 * whenever entries were held back by an older transaction, it wakes its readers by itself: no
 * notice will come for those.
 */
export class FeedListener {
  readonly #connections: Connections
  readonly #wakers = new Set<() => void>()
  readonly #stop = new AbortController()
  #client: Client | undefined
  #listening: Promise<void> | undefined
  #isLooking = false
  #lookAgain = false
  #timer: NodeJS.Timeout | undefined
  #pause: NodeJS.Timeout | undefined
  #isDue = false

  constructor(connections: Connections) {
    this.#connections = connections
  }

  /** Resolves once notices can come, so that nothing committed afterwards is missed. */
  async add(wake: () => void): Promise<() => Promise<void>> {
    // One function may listen twice; each must be able to stop by itself.
    const own = () => wake()
    this.#wakers.add(own)
    this.#timer ??= setInterval(() => this.#wake(), unaskedMs).unref()
    this.#listening ??= this.#connect()
    try {
      await this.#listening
    } catch (error) {
      this.#wakers.delete(own)
      this.#listening = undefined
      throw error
    }
    return async () => {
      this.#wakers.delete(own)
    }
  }

  async close(): Promise<void> {
    this.#stop.abort()
    clearInterval(this.#timer)
    clearTimeout(this.#pause)
    this.#wakers.clear()
    await this.#listening?.catch(() => {})
    await this.#client?.end().catch(() => {})
  }

  async #connect(): Promise<void> {
    const client = await this.#connections.dedicated()
    if (this.#stop.signal.aborted) return client.end()
    this.#client = client
    client.on('notification', () => this.#wake())
    client.once('end', () => void this.#reconnect())
    await client.query('LISTEN statewright')
  }

  async #reconnect(): Promise<void> {
    let pauseMs = firstPauseMs
    while (!this.#stop.signal.aborted) {
      await this.#sleep(pauseMs)
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
      try {
        await this.#connect()
        this.#wake()
        return
      } catch {
        // Readers see the fault at their own queries; here only the next try counts.
      }
    }
  }

  #wake(): void {
    this.#isDue = true
    if (this.#pause !== undefined) return
    this.#isDue = false
    for (const wake of this.#wakers) wake()
    void this.#lookForLate()
    this.#pause = setTimeout(() => {
      this.#pause = undefined
      if (this.#isDue) this.#wake()
    }, betweenMs).unref()
  }

  async #lookForLate(): Promise<void> {
    // A look that is under way may have missed what this notice is about.
    this.#lookAgain = true
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      while (this.#lookAgain && !this.#stop.signal.aborted) {
        this.#lookAgain = false
        if (!(await this.#hasDelayed())) continue
        this.#lookAgain = true
        await this.#sleep(latePauseMs)
        for (const wake of this.#wakers) wake()
      }
    } catch {
      // The connection broke; coming back wakes everybody.
    } finally {
      this.#isLooking = false
    }
  }

  async #hasDelayed(): Promise<boolean> {
    const { rows } = await this.#connections.query<{ late: boolean }>({
      name: 'statewright_late',
      text: lateQuery,
      values: [],
    })
    return rows[0]?.late === true
  }

  /** Does not keep the process alive, and ends at once when the store is closed. */
  async #sleep(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stop.signal, ref: false }).catch(() => {})
  }
}

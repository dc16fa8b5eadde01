import { tooBusy } from './problem.ts'
import { upstreamLimits } from './spec.ts'

interface Subscription {
  count: number
  stop: () => Promise<unknown>
}

/** Tells a server to speak of a resource; the answer ends it. */
export type Listen = (uri: string) => Promise<() => Promise<unknown>>

/** Who wants to hear of which resource: a server is told once, however many want to. */
export class Subscriptions {
  readonly #name: string
  readonly #listen: Listen
  readonly #known = new Map<string, Subscription>()

  constructor(name: string, listen: Listen) {
    this.#name = name
    this.#listen = listen
  }

  async add(uri: string): Promise<void> {
    const known = this.#known.get(uri)
    if (known !== undefined) {
      known.count += 1
      return
    }
    if (this.#known.size >= upstreamLimits.listed) throw tooBusy(this.#name)
    this.#known.set(uri, { count: 1, stop: await this.#listen(uri) })
  }

  async remove(uri: string): Promise<void> {
    const known = this.#known.get(uri)
    if (known === undefined) return
    known.count -= 1
    if (known.count > 0) return
    this.#known.delete(uri)
    await known.stop()
  }

  /** A server that was started again has forgotten all of them. */
  async renew(): Promise<void> {
    for (const [uri, known] of this.#known) {
      known.stop = await this.#listen(uri).catch(() => async () => {})
    }
  }
}

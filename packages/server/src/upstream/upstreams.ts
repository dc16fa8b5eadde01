import { isDeepStrictEqual } from 'node:util'
import type { ConnectOptions } from './connect.ts'
import type { UpstreamSpec } from './spec.ts'
import { Upstream, type UpstreamEvents, type UpstreamStatus } from './upstream.ts'

export type UpstreamSpecs = Readonly<Record<string, UpstreamSpec>>

/** How long a question waits for servers that are just being started: most take less. */
const patienceMs = 3000

/** All servers that the gateway fronts, in the order in which they are configured. */
export class Upstreams {
  readonly #options: ConnectOptions
  readonly #events: UpstreamEvents
  #all: readonly Upstream[] = []
  #patientUntil = 0

  constructor(options: ConnectOptions, events: UpstreamEvents) {
    this.#options = options
    this.#events = events
  }

  /** Starts what is new, ends what is gone, and leaves what is the same alone. */
  async apply(specs: UpstreamSpecs): Promise<void> {
    const before = new Map(this.#all.map((one) => [one.name, one]))
    const kept: Upstream[] = []
    for (const [name, spec] of Object.entries(specs)) {
      const known = before.get(name)
      const isSame = known !== undefined && isDeepStrictEqual(known.spec, spec)
      if (isSame) before.delete(name)
      kept.push(isSame ? known : new Upstream(name, spec, this.#options, this.#events))
    }
    this.#all = kept
    this.#patientUntil = performance.now() + patienceMs
    await Promise.all([...before.values()].map((gone) => gone.close()))
  }

  list(): readonly Upstream[] {
    return this.#all
  }

  find(name: string): Upstream | undefined {
    return this.#all.find((one) => one.name === name)
  }

  status(): readonly UpstreamStatus[] {
    return this.#all.map((one) => one.status)
  }

  /** Waits until each has been connected once or has failed. */
  async settled(): Promise<void> {
    await Promise.all(this.#all.map((one) => one.settled()))
  }

  /**
   * Waits for servers that were started a moment ago. Many clients list tools once and never again,
   * just when we start; a server that is slower than that holds nobody up later on.
   */
  async started(): Promise<void> {
    const leftMs = this.#patientUntil - performance.now()
    if (leftMs <= 0 || this.status().every(({ state }) => state !== 'starting')) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, leftMs)
    await Promise.race([this.settled(), promise])
    clearTimeout(timer)
  }

  async close(): Promise<void> {
    const all = this.#all
    this.#all = []
    await Promise.all(all.map((one) => one.close()))
  }
}

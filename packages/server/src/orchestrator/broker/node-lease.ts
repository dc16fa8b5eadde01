import type { SharedNodes } from '../../store/node-store.ts'
import type { Timers } from './timers.ts'

export interface LeaseTimes {
  /** How long others believe that a node lives which has fallen silent. */
  readonly leaseMs: number
  /** How often it says so again. */
  readonly renewMs: number
  /** A node that could not say so stops by itself, well before others may take its sessions. */
  readonly stopMs: number
}

export const leaseTimes: LeaseTimes = { leaseMs: 10_000, renewMs: 2000, stopMs: 7000 }

export interface LeaseOptions {
  readonly nodes: Pick<SharedNodes, 'renew' | 'leave'>
  readonly node: string
  readonly mark: string
  readonly times: LeaseTimes
  readonly timers: Timers
  /** Milliseconds of a clock that nobody sets. */
  readonly now: () => number
  /** Each time it said so: with how many other nodes live. */
  readonly onRenewed: (others: number) => void
  /** It may not go on: others may believe that it is dead. */
  readonly onLost: () => void
  readonly onFault: (fault: unknown) => void
}

/**
 * This node's word to the others that it lives (SE-18). Time counts from before the word was sent:
 * by the clock of the database it holds for longer than this node believes.
 */
export class NodeLease {
  readonly #options: LeaseOptions
  #stopRenewing: () => void = () => {}
  #stopWaiting: () => void = () => {}
  #isValid = false
  #isClosed = false

  constructor(options: LeaseOptions) {
    this.#options = options
  }

  /** Whether this node may work on its sessions. */
  get isValid(): boolean {
    return this.#isValid
  }

  /** Says it for the first time, and again from then on. */
  async start(): Promise<void> {
    await this.#renew()
    this.#setTimer()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#stopRenewing()
    this.#stopWaiting()
    await this.#options.nodes.leave(this.#options.node).catch(this.#options.onFault)
  }

  #setTimer(): void {
    if (this.#isClosed) return
    this.#stopRenewing = this.#options.timers.set(() => {
      this.#renew()
        .catch(this.#options.onFault)
        .finally(() => this.#setTimer())
    }, this.#options.times.renewMs)
  }

  async #renew(): Promise<void> {
    const { nodes, node, mark, times, timers, now, onRenewed } = this.#options
    const since = now()
    const others = await nodes.renew(node, mark, times.leaseMs)
    if (this.#isClosed) return
    const left = since + times.stopMs - now()
    // The answer itself was late: the next word may be in time again.
    if (left <= 0) return this.#lose()
    this.#isValid = true
    this.#stopWaiting()
    this.#stopWaiting = timers.set(() => this.#lose(), left)
    onRenewed(others)
  }

  #lose(): void {
    if (!this.#isValid) return
    this.#isValid = false
    this.#options.onLost()
  }
}

import { setImmediate as endOfTurn } from 'node:timers/promises'
import type { SharedNodes, Versions } from '../store/node-store.ts'

type Nodes = Pick<SharedNodes, 'versions'>

/**
 * Whether what this node keeps in memory is what holds (ND-1, ND-2). The database raises a number
 * with each change of policies, configuration, mode and tokens, and another one with each run that
 * begins, ends or is bound. Every request looks at both before it is answered, and what has changed
 * is read anew: a change that was acknowledged anywhere holds for whatever comes afterwards. Nobody
 * waits for a node, so that a dead one holds up nothing; one that cannot look answers nothing.
 */
export class SharedRules {
  readonly #nodes: Nodes | undefined
  readonly #ruleFollowers: (() => Promise<void> | void)[] = []
  readonly #bondFollowers: (() => void)[] = []
  #known: Versions = { rules: 0, bonds: 0 }
  #looking: Promise<void> | undefined
  #next: Promise<void> | undefined

  /** Without `nodes` nobody else writes to the store, and there is nothing to look at. */
  constructor(nodes: Nodes | undefined) {
    this.#nodes = nodes
  }

  /** All in memory is as new as this number, or newer; undefined where nobody else writes. */
  get version(): number | undefined {
    return this.#nodes === undefined ? undefined : this.#known.rules
  }

  /** Called when policies, configuration, mode or tokens may have changed. */
  onRules(follow: () => Promise<void> | void): void {
    this.#ruleFollowers.push(follow)
  }

  /** Called when another run may be the one of a session, a token or a connection. */
  onBonds(follow: () => void): void {
    this.#bondFollowers.push(follow)
  }

  /**
   * Comes when all that was acknowledged before this call is known here. A look counts for whoever
   * asked before it was sent, and it is sent once all that came from the network has asked.
   */
  confirm(): Promise<void> | undefined {
    if (this.#nodes === undefined) return undefined
    this.#next ??= this.#lookSoon(this.#nodes)
    return this.#next
  }

  async #lookSoon(nodes: Nodes): Promise<void> {
    // The look under way may have seen the database before this call was made.
    await this.#looking?.catch(() => {})
    await endOfTurn()
    this.#next = undefined
    this.#looking = this.#follow(nodes)
    await this.#looking
  }

  /** Known only when all of it was read: a fault on the way leaves the next look the same to do. */
  async #follow(nodes: Nodes): Promise<void> {
    const now = await nodes.versions()
    if (now.bonds !== this.#known.bonds) for (const follow of this.#bondFollowers) follow()
    if (now.rules !== this.#known.rules) for (const follow of this.#ruleFollowers) await follow()
    this.#known = now
  }
}

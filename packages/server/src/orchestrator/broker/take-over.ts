import type { Orphan } from '../../store/node-store.ts'
import type { Store } from '../../store/store.ts'

export interface TakeOverOptions {
  readonly store: Store
  readonly node: string
  readonly limit: number
  /** At work here already, or about to be. */
  readonly isHere: (sessionId: string) => boolean
  /** Whether this machine has what the session needs: its folder, its harness. */
  readonly canRun: (session: Pick<Orphan, 'harness' | 'projectPath'>) => boolean
  /** Ends what a node that died has left running on this machine. */
  readonly endChildren: (mark: string) => void
  /** False where it cannot be done here, which is no fault. */
  readonly takeUp: (sessionId: string) => Promise<boolean>
  readonly onFault: (sessionId: string, fault: unknown) => void
  readonly now: () => number
}

/** After one failed: trying at every look would only fill the log. */
const pauseMs = 60_000

/** Takes up sessions that nobody has at work: this node's own, and those of dead ones (SE-9). */
export class TakeOver {
  readonly #options: TakeOverOptions
  readonly #failedAt = new Map<string, number>()
  #looking: Promise<number> | undefined

  constructor(options: TakeOverOptions) {
    this.#options = options
  }

  /** Says how many were taken up. One look at a time. */
  look(): Promise<number> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async #look(): Promise<number> {
    const { store, node, limit, endChildren } = this.#options
    let count = 0
    const own = await store.sessions.list({ node, isLive: true, limit })
    for (const { sessionId } of own) count += await this.#try(sessionId, async () => true)
    const orphans = (await store.nodes.orphans(node, limit)).filter(this.#options.canRun)
    for (const mark of new Set(orphans.map((orphan) => orphan.mark))) {
      if (mark !== null) endChildren(mark)
    }
    for (const { sessionId, node: from } of orphans) {
      count += await this.#try(sessionId, () => store.nodes.claim(sessionId, from, node))
    }
    return count
  }

  async #try(sessionId: string, claim: () => Promise<boolean>): Promise<number> {
    const { isHere, takeUp, onFault, now } = this.#options
    const failedAt = this.#failedAt.get(sessionId)
    if (isHere(sessionId)) return 0
    if (failedAt !== undefined && now() < failedAt + pauseMs) return 0
    try {
      if (!(await claim())) return 0
      const isDone = await takeUp(sessionId)
      this.#failedAt.delete(sessionId)
      return isDone ? 1 : 0
    } catch (fault) {
      this.#failedAt.set(sessionId, now())
      onFault(sessionId, fault)
      return 0
    }
  }
}

import type { PostedRequest } from '../../store/node-store.ts'
import type { BrokerOptions } from './broker-options.ts'
import { NodeLease } from './node-lease.ts'
import { OtherNodes } from './other-nodes.ts'
import type { PassedCommand } from './session-command.ts'
import { TakeOver } from './take-over.ts'

/** What the broker does for its node. */
export interface NodeWorkOptions {
  readonly broker: BrokerOptions
  readonly isHere: (sessionId: string) => boolean
  /** False where it cannot be done here. */
  readonly takeUp: (sessionId: string) => Promise<boolean>
  /** All that works on sessions here ends. */
  readonly letGo: () => Promise<void>
  readonly carryOut: (request: PostedRequest, passed: PassedCommand) => Promise<void>
  readonly followed: () => readonly string[]
  readonly wake: (sessionId: string) => void
}

/** The sessions of this process among all that share the store (SE-9, SE-18). */
export class NodeWork {
  readonly #options: NodeWorkOptions
  readonly #takeOver: TakeOver
  readonly #lease: NodeLease | undefined
  readonly #others: OtherNodes | undefined

  constructor(options: NodeWorkOptions) {
    const { broker, isHere, takeUp } = options
    const { runtime, node, limits, harnesses, observer } = broker
    this.#options = options
    this.#takeOver = new TakeOver({
      store: runtime.store,
      node,
      limit: limits.sessions,
      isHere,
      canRun: ({ harness, projectPath }) => harnesses.has(harness) && broker.hasFolder(projectPath),
      // Its own were ended at its start, and it may have others by now.
      endChildren: (mark) => mark !== broker.mark && broker.endChildren(mark),
      takeUp,
      onFault: (sessionId, fault) => observer.fault(sessionId, fault),
      now: () => runtime.clock.now(),
    })
    this.#lease = this.#newLease()
    this.#others = this.#newOthers()
  }

  /** False while others may believe that this node is dead. */
  get mayWork(): boolean {
    return this.#lease?.isValid !== false
  }

  /** For commands to sessions that another node has; absent where there are no others. */
  get others(): OtherNodes | undefined {
    return this.#others
  }

  /** Takes up what nobody has at work, and from then on what other nodes leave. */
  async enter(): Promise<number> {
    await this.#lease?.start()
    return this.#takeOver.look()
  }

  async close(): Promise<void> {
    this.#others?.close()
    await this.#lease?.close()
  }

  #newLease(): NodeLease | undefined {
    const { runtime, node, mark, timers, leaseTimes: times, observer } = this.#options.broker
    const { shared } = runtime.store.nodes
    if (shared === undefined) return undefined
    const onFault = (fault: unknown) => observer.fault(node, fault)
    return new NodeLease({
      nodes: shared,
      node,
      mark,
      times,
      timers,
      now: () => performance.now(),
      onRenewed: (others) => {
        this.#others?.count(others)
        this.#takeOver.look().catch(onFault)
      },
      onLost: () => {
        onFault(new Error('the store was not reached in time: sessions stop here'))
        this.#options.letGo().catch(onFault)
      },
      onFault,
    })
  }

  #newOthers(): OtherNodes | undefined {
    const { broker, carryOut, followed, wake } = this.#options
    const { runtime, node, timers, leaseTimes, observer } = broker
    const { shared } = runtime.store.nodes
    if (shared === undefined) return undefined
    return new OtherNodes({
      nodes: shared,
      node,
      timers,
      newId: runtime.clock.newId,
      now: () => performance.now(),
      patienceMs: 2 * leaseTimes.leaseMs,
      carryOut,
      followed,
      wake,
      onFault: (fault) => observer.fault(node, fault),
    })
  }
}

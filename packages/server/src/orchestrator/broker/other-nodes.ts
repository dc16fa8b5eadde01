import { err, ok, type Result } from '@statewright/core/internal'
import type { Caller } from '../../base/caller.ts'
import { problem, type RuntimeProblem } from '../../base/problem.ts'
import type { PostedRequest, SharedNodes } from '../../store/node-store.ts'
import type { PassedAnswer, PassedCommand, SessionCommand } from './session-command.ts'
import type { Timers } from './timers.ts'

/** Each look is one small query, and none is made while there is nothing to look for. */
const lookMs = 200
const requestsPerLook = 100

export interface OtherNodesOptions {
  readonly nodes: SharedNodes
  readonly node: string
  readonly timers: Timers
  readonly newId: (prefix: string) => string
  readonly now: () => number
  /** How long an answer is waited for: a node may have to take the session over first. */
  readonly patienceMs: number
  /** Carries out what another node passed on; it is answered by anyone who carries it out. */
  readonly carryOut: (request: PostedRequest, passed: PassedCommand) => Promise<void>
  /** Sessions that are followed here and at work elsewhere. */
  readonly followed: () => readonly string[]
  readonly wake: (sessionId: string) => void
  readonly onFault: (fault: unknown) => void
}

/**
 * What a node has to do with others on the same store: commands for sessions that another one has,
 * and sessions that are followed here while they are at work there. All of it goes through the
 * database, so that nodes need not reach each other.
 */
export class OtherNodes {
  readonly #options: OtherNodesOptions
  readonly #begun = new Set<string>()
  readonly #positions = new Map<string, number>()
  #others = 0
  #stopTimer: (() => void) | undefined
  #isClosed = false

  constructor(options: OtherNodesOptions) {
    this.#options = options
  }

  /** So many other nodes live: while there are any, their commands are looked for. */
  count(others: number): void {
    this.#others = others
    // Of a node that has died since, or of this one itself, to a session that it took over.
    this.#look().catch(this.#options.onFault)
  }

  /** Somebody began to follow a session. */
  follow(): void {
    this.#setTimer()
  }

  close(): void {
    this.#isClosed = true
    this.#stopTimer?.()
  }

  /** Has the node that has the session carry a command out. */
  async pass(
    caller: Caller,
    sessionId: string,
    command: SessionCommand,
  ): Promise<Result<PassedAnswer, RuntimeProblem>> {
    const { nodes, newId, now, patienceMs } = this.#options
    const requestId = newId('req')
    const passed: PassedCommand = { caller, command }
    const since = now()
    await nodes.post({ requestId, sessionId, body: JSON.stringify(passed) })
    while (now() < since + patienceMs && !this.#isClosed) {
      const answer = await nodes.takeAnswer(requestId)
      // Written by this program on another node.
      if (answer !== undefined) return ok(JSON.parse(answer) as PassedAnswer)
      await this.#pause(lookMs / 2)
    }
    await nodes.withdraw(requestId)
    return err(unanswered())
  }

  async #look(): Promise<void> {
    const { nodes, node, onFault } = this.#options
    await Promise.all([
      this.#followed(),
      nodes.posted(node, requestsPerLook).then((requests) => {
        for (const request of requests) this.#begin(request).catch(onFault)
      }),
    ])
    this.#setTimer()
  }

  /** One at a time each: a request is there until its answer is stored. */
  async #begin(request: PostedRequest): Promise<void> {
    if (this.#begun.has(request.requestId)) return
    this.#begun.add(request.requestId)
    try {
      // Written by this program on another node.
      await this.#options.carryOut(request, JSON.parse(request.body) as PassedCommand)
    } finally {
      this.#begun.delete(request.requestId)
    }
  }

  async #followed(): Promise<void> {
    const { nodes, followed, wake } = this.#options
    const ids = followed()
    for (const id of this.#positions.keys()) if (!ids.includes(id)) this.#positions.delete(id)
    if (ids.length === 0) return
    for (const [id, position] of await nodes.positions(ids)) {
      if (this.#positions.get(id) !== position) wake(id)
      this.#positions.set(id, position)
    }
  }

  #setTimer(): void {
    const { timers, followed, onFault } = this.#options
    if (this.#isClosed || this.#stopTimer !== undefined) return
    if (this.#others === 0 && followed().length === 0) return
    this.#stopTimer = timers.set(() => {
      this.#stopTimer = undefined
      this.#look()
        .catch(onFault)
        .finally(() => this.#setTimer())
    }, lookMs)
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.#options.timers.set(resolve, ms))
  }
}

function unanswered(): RuntimeProblem {
  const message = 'The server node that runs this session did not answer in time.'
  const next = 'look at it with `statewright session show` before you try again.'
  return problem('store_unavailable', message, { next })
}

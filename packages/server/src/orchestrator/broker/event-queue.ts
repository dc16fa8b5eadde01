import {
  type AgentAction,
  type AgentEvent,
  type AgentMessage,
  type AgentState,
  type AgentStateEvent,
  type AgentStep,
  defined,
  reduceAgent,
} from '@statewright/core/internal'
import type { Clock } from '../../base/clock.ts'
import type { NewUpdate, SessionRow, SessionStore } from '../../store/session-store.ts'
import type { CommitTurns } from './commit-turns.ts'
import { costOf } from './report-session-cost.ts'

/** An event in the making: its ids are drawn when its turn comes. */
export type MakeEvent = (state: AgentState) => AgentEvent | null

interface Waiting {
  readonly make: MakeEvent
  /** Another node's request that this carries out, answered in the same commit (SE-18). */
  readonly requestId?: string
  readonly resolve: (step: AgentStep | null) => void
  readonly reject: (fault: unknown) => void
}

/** An update with the event that it holds as text. */
interface EventUpdate extends NewUpdate {
  readonly event?: AgentStateEvent
}

export interface Stepped {
  readonly step: AgentStep
  readonly updates: readonly EventUpdate[]
}

export interface QueueOptions {
  readonly node: string
  readonly store: SessionStore
  readonly clock: Clock
  readonly turns: CommitTurns
  readonly max: number
  readonly maxPerCommit: number
  /** Called after the commit, step by step in order. */
  readonly onStep: (stepped: Stepped) => void
  /** The store failed or somebody else wrote: this session cannot go on here. */
  readonly onBroken: (fault: unknown) => void
}

/**
 * The one writer of a session: events are handled in the order they came, and nothing that follows
 * from one is done or told before it is stored (invariants 2 and 7).
 */
export class EventQueue {
  readonly #options: QueueOptions
  readonly #sessionId: string
  #waiting: Waiting[] = []
  #isPumping = false
  #broken: unknown
  #state: AgentState
  #position: number
  #messageCount: number
  #costMicros: number
  #updatedAt: number

  constructor(options: QueueOptions, row: SessionRow) {
    this.#options = options
    this.#sessionId = row.sessionId
    this.#state = row.state
    this.#position = row.place
    this.#messageCount = row.messageCount
    this.#costMicros = row.costMicros
    this.#updatedAt = row.updatedAt
  }

  /** The state as it is stored, apart from the text of a stream. */
  get state(): AgentState {
    return this.#state
  }

  get place(): number {
    return this.#position
  }

  get updatedAt(): number {
    return this.#updatedAt
  }

  get costMicros(): number {
    return this.#costMicros
  }

  /** Anyone who can wait should: what comes when it is full is lost. */
  get isHalfFull(): boolean {
    return this.#waiting.length >= this.#options.max / 2
  }

  get isFull(): boolean {
    return this.#waiting.length >= this.#options.max
  }

  /** Resolves when the event was handled and stored; with nothing when none was made. */
  submit(make: MakeEvent, requestId?: string): Promise<AgentStep | null> {
    if (this.#broken !== undefined) return Promise.reject(this.#broken)
    const { promise, resolve, reject } = Promise.withResolvers<AgentStep | null>()
    this.#waiting.push({ make, resolve, reject, ...defined({ requestId }) })
    // What else comes before its turn goes into the same commit.
    if (!this.#isPumping) {
      this.#isPumping = true
      this.#options.turns.add(() => void this.#pump())
    }
    return promise
  }

  /** Nothing is handled any more; anyone who waits is refused. */
  breakOff(fault: unknown): void {
    this.#broken ??= fault
    const waiting = this.#waiting
    this.#waiting = []
    for (const { reject } of waiting) reject(fault)
  }

  async #pump(): Promise<void> {
    const taken = this.#waiting.splice(0, this.#options.maxPerCommit)
    try {
      await this.#handle(taken)
    } catch (fault) {
      for (const { reject } of taken) reject(fault)
      this.breakOff(fault)
      this.#options.onBroken(fault)
    }
    this.#isPumping = this.#waiting.length > 0
    if (this.#isPumping) this.#options.turns.add(() => void this.#pump())
  }

  async #handle(taken: readonly Waiting[]): Promise<void> {
    const before = this.#state
    const { clock, store, node } = this.#options
    let state = before
    let position = this.#position
    let costMicros = this.#costMicros
    const messages: AgentMessage[] = []
    const done = taken.map(({ make }): Stepped | null => {
      const event = make(state)
      if (event === null) return null
      const step = reduceAgent(state, event, clock.now())
      state = step.state
      const updates = updatesOf(step.actions, clock, position)
      position += updates.length
      costMicros += costOf(step.actions)
      for (const action of step.actions) {
        if (action.type === 'append_messages') messages.push(...action.messages)
      }
      return { step, updates }
    })
    const updates = done.flatMap((one) => one?.updates ?? [])
    const hasChanged = hasStoredChange(before, state)
    const answered = taken.flatMap(({ requestId }, at) =>
      requestId === undefined ? [] : [{ requestId, answer: answerOf(done[at]?.step) }],
    )
    if (updates.length + messages.length + answered.length > 0 || hasChanged) {
      const updatedAt = clock.now()
      const kept = await store.append(this.#sessionId, {
        node,
        after: this.#position,
        updates,
        messages,
        messageCount: this.#messageCount,
        state: hasChanged ? { ...state, buffer: '' } : null,
        updatedAt,
        costMicros,
        answered,
      })
      if (!kept) throw new Error(`session ${this.#sessionId} was changed by somebody else`)
      this.#updatedAt = updatedAt
    }
    this.#state = state
    this.#position = position
    this.#costMicros = costMicros
    this.#messageCount += messages.length
    for (const stepped of done) if (stepped !== null) this.#options.onStep(stepped)
    for (const [at, { resolve }] of taken.entries()) resolve(done[at]?.step ?? null)
  }
}

/** What the node that passed a request on reads of it. */
function answerOf(step: AgentStep | null | undefined): string {
  return JSON.stringify({ refusal: step?.refusal?.message ?? null })
}

/** Whether something changed that is stored; the text of a stream is not. */
function hasStoredChange(before: AgentState, after: AgentState): boolean {
  const { buffer: _before, heardAtMs: _heard, ...kept } = before
  const { buffer: _after, heardAtMs: _hears, ...now } = after
  const values = Object.values(kept)
  return before !== after && Object.values(now).some((value, at) => value !== values[at])
}

function updatesOf(actions: readonly AgentAction[], clock: Clock, after: number): EventUpdate[] {
  const updates: EventUpdate[] = []
  for (const action of actions) {
    const position = after + updates.length + 1
    if (action.type === 'emit_state_event') {
      const event = { eventId: clock.newId('evt'), ...action.event }
      updates.push({
        place: position,
        channel: 'agent:state_event',
        body: JSON.stringify(event),
        event,
      })
    } else if (action.type === 'emit_stream_event') {
      const body = JSON.stringify(action.event)
      updates.push({ place: position, channel: 'agent:stream_event', body })
    }
  }
  return updates
}

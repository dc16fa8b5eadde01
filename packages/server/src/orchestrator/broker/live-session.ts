import { randomUUID } from 'node:crypto'
import {
  type AgentAction,
  type AgentEvent,
  type AgentMessage,
  type AgentState,
  type AgentStep,
  contextTooLongCode,
  dueEvent,
  type FreshIds,
  freshIds,
  isMutatingCall,
  type JsonObject,
  nextWake,
  payloadText,
  recovery,
  type StreamEvent,
} from '@statewright/core/internal'
import type { Caller } from '../../base/caller.ts'
import type { SessionRow } from '../../store/session-store.ts'
import type { Harness } from '../ports.ts'
import { AgentCalls } from './agent-calls.ts'
import { agentToolEvent } from './agent-tool-event.ts'
import type { BrokerOptions } from './broker-options.ts'
import type { CommitTurns } from './commit-turns.ts'
import { EventQueue, type Stepped } from './event-queue.ts'
import { HarnessWork } from './harness-work.ts'
import { HookWork } from './hook-work.ts'
import { LiveOutputs } from './live-outputs.ts'
import { costsIn, SessionCost } from './report-session-cost.ts'
import { brokenRequest, windowEvent } from './request-events.ts'
import { messagesFor, sizeOf } from './request-messages.ts'
import { requestRest } from './request-rest.ts'
import { ToolWork } from './tool-work.ts'
import { newsInput, type VerdictNews } from './verdict-news.ts'

export interface LiveSessionOptions {
  readonly broker: BrokerOptions
  readonly row: SessionRow
  readonly messages: readonly AgentMessage[]
  readonly caller: Caller
  readonly harness: Harness
  /** Shared by all sessions of a broker. */
  readonly turns: CommitTurns
  /** Something new can be read. */
  readonly onUpdates: () => void
  /** It has stopped, or cannot go on here. */
  readonly onGone: () => void
}

/** A session at work: its queue, its timer, and those who do what its machine asks for. */
export class LiveSession {
  readonly row: SessionRow
  /** What its commands print while they run. */
  readonly outputs: LiveOutputs
  readonly #options: LiveSessionOptions
  readonly #queue: EventQueue
  readonly #harness: HarnessWork
  readonly #tools: ToolWork
  readonly #hooks: HookWork
  readonly #calls: AgentCalls
  readonly #messages: AgentMessage[]
  #size: number
  #stopTimer: () => void = () => {}
  readonly #life = new AbortController()
  #isClosed = false
  readonly #news: VerdictNews[] = []
  #system: string | null = null
  readonly #cost: SessionCost

  constructor(options: LiveSessionOptions) {
    const { broker, row, caller, harness } = options
    const { sessionId, projectPath } = row
    this.#options = options
    this.row = row
    this.#messages = [...options.messages]
    this.#size = sizeOf(this.#messages, 0, null)
    this.#queue = new EventQueue(
      {
        node: broker.node,
        store: broker.runtime.store.sessions,
        clock: broker.runtime.clock,
        turns: options.turns,
        max: broker.limits.queue,
        maxPerCommit: broker.limits.batch,
        onStep: (stepped) => this.#onStep(stepped),
        onBroken: (fault) => this.#breakOff(fault),
      },
      row,
    )
    this.outputs = new LiveOutputs(broker.timers, options.onUpdates)
    const work = {
      broker,
      outputs: this.outputs,
      sessionId,
      projectPath,
      submit: (make: (state: AgentState, ids: FreshIds) => AgentEvent) => this.submit(make),
      state: () => this.#queue.state,
    }
    this.#cost = new SessionCost(broker, { caller, session: sessionId, projectPath })
    const costReported = () => this.#cost.reported
    this.#tools = new ToolWork({ ...work, caller, costReported })
    this.#hooks = new HookWork(work)
    const { guard } = broker
    const { signal } = this.#life
    this.#calls = new AgentCalls({ guard, caller, sessionId, projectPath, signal, costReported })
    this.#harness = new HarnessWork({
      broker,
      sessionId,
      projectPath,
      harness,
      options: optionsOf(row),
      runId: row.runId,
      calls: this.#calls,
      connect: () => broker.connect(caller),
      // Nothing is made of it, and everything before it is stored.
      room: () => (this.#queue.isHalfFull ? this.#stored() : undefined),
      onReady: () => this.#tell((_state, ids) => ({ type: 'harness_ready', ids })),
      onExited: (code, message) =>
        this.#tell(() => ({
          type: 'harness_exited',
          code,
          ...(message === undefined ? {} : { message }),
        })),
      onNotStarted: (message) =>
        this.#tell(() => ({ type: 'harness_exited', code: null, message, neverStarted: true })),
      onEvent: (event) => this.#onStreamEvent(event),
    })
  }

  /** The run that judges the session's calls knows by then what they have cost. */
  get costReported(): Promise<void> {
    return this.#cost.reported
  }

  get state(): AgentState {
    return this.#queue.state
  }

  get place(): number {
    return this.#queue.place
  }

  get costMicros(): number {
    return this.#queue.costMicros
  }

  get updatedAt(): number {
    return this.#queue.updatedAt
  }

  get messages(): readonly AgentMessage[] {
    return this.#messages
  }

  get harness(): Harness {
    return this.#options.harness
  }

  get isFull(): boolean {
    return this.#queue.isFull
  }

  /** What the model was told beside the conversation in the last request. */
  get system(): string | null {
    return this.#system
  }

  /** It takes no more words; one that is ours is compacted instead. */
  get isTooLarge(): boolean {
    const isOurs = this.state.settings?.contextTokens !== undefined
    return !isOurs && this.#size > this.#options.broker.limits.conversation
  }

  submit(
    make: (state: AgentState, ids: FreshIds) => AgentEvent | null,
    requestId?: string,
  ): Promise<AgentStep | null> {
    return this.#queue.submit((state) => make(state, freshIds(state, randomUUID)), requestId)
  }

  /** Something happened that the model should go on with; while it works, it is told afterwards. */
  wakeWith(news: readonly VerdictNews[]): void {
    this.#news.push(...news)
    this.#tellNews()
  }

  #tellNews(): void {
    if (this.#news.length === 0 || this.state.kind !== 'ready') return
    this.#tell((state, ids) => {
      if (state.kind !== 'ready' || this.#news.length === 0) return null
      return { type: 'user_input', ...newsInput(this.#news.splice(0)), ids }
    })
  }

  /** After a crash: tells what was interrupted, then does what was never begun (SE-9). */
  async recover(): Promise<void> {
    for (;;) {
      let actions: readonly AgentAction[] = []
      const step = await this.submit((state, ids) => {
        const { clock } = this.#options.broker.runtime
        const found = recovery(state, clock.now(), { ids, eventId: clock.newId('evt') })
        actions = found.actions
        return found.event
      })
      for (const action of actions) this.#perform(action)
      if (step === null) break
    }
    this.#setTimer()
  }

  /** The server stops: everything of ours ends, and the session is taken up at the next start. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#life.abort()
    this.#stopTimer()
    this.#queue.breakOff(new Error('the server stops'))
    this.#tools.cancelAll()
    this.#hooks.cancelAll()
    await this.#harness.close()
  }

  #onStep({ step, updates }: Stepped): void {
    const { observer } = this.#options.broker
    // Before the change that ends the request: it belongs to that one.
    for (const event of costsIn(step.actions)) observer.onUsage(this.row.sessionId, event)
    for (const { event } of updates) if (event !== undefined) observer.onEvent(event)
    this.#cost.report(step.actions)
    for (const action of step.actions) this.#perform(action)
    this.#setTimer()
    if (updates.length > 0) this.#options.onUpdates()
    this.#tellNews()
    if (step.state.kind === 'stopped') this.#end()
  }

  /** I/O that a stored step asks for. It never throws: what goes wrong returns as an event. */
  #perform(action: AgentAction): void {
    switch (action.type) {
      case 'start_harness':
        void this.#harness.start()
        return
      case 'send_to_harness':
        this.#send(action)
        return
      case 'cancel_request':
        this.#harness.cancel()
        return
      case 'execute_tools':
        void this.#tools.execute(action.tools)
        return
      case 'run_post_tool_hooks':
        void this.#hooks.run(action)
        return
      case 'cancel_runs':
        this.#tools.cancel(action.toolRunIds)
        this.#hooks.cancel(action.hookRunIds)
        return
      case 'stop_harness':
        void this.#harness.stop()
        return
      case 'kill_harness':
        void this.#harness.kill()
        return
      case 'append_messages':
        this.#messages.push(...action.messages)
        this.#size = sizeOf(this.#messages, this.#size, action.messages)
        return
      case 'drop_late':
        this.#options.broker.observer.dropped(this.row.sessionId, action.what, action.id)
        return
      case 'emit_state_event':
      case 'emit_stream_event':
      case 'wait':
        return
      default:
        throw new Error(`bug: unexpected ${JSON.stringify(action satisfies never)}`)
    }
  }

  #send(action: Extract<AgentAction, { type: 'send_to_harness' }>): void {
    const { streamId, requestId, attempt, summaryLength } = action
    const { broker, caller, harness } = this.#options
    // The request for a summary has its own bound, and is the way out of this one.
    if (this.#size > broker.limits.conversation && summaryLength === undefined) {
      const message = 'The conversation has grown too large.'
      const { clock } = broker.runtime
      this.#tell(brokenRequest(clock, { code: contextTooLongCode, message, retryable: false }))
      return
    }
    this.#calls.forget()
    const { sessionId, projectPath } = this.row
    const request = {
      broker,
      caller,
      harness,
      sessionId,
      projectPath,
      options: optionsOf(this.row),
      state: this.#queue.state,
    }
    void this.#harness.send({
      streamId,
      requestId,
      attempt,
      answers: this.#messages.filter(({ role }) => role === 'assistant').length,
      ...messagesFor(this.#messages, summaryLength),
      rest: async () => {
        // What the last answer cost may have used up what there is.
        await this.#cost.reported
        const rest = await requestRest(request)
        const texts = [rest.system, rest.brief].filter((text) => text !== null)
        this.#cost.capability = rest.capability
        if (this.state.settings?.contextTokens !== rest.contextTokens) {
          await this.submit(windowEvent(streamId, rest.contextTokens))
        }
        this.#system = texts.length === 0 ? null : texts.join('\n\n')
        return rest
      },
    })
  }

  #onStreamEvent(streamEvent: StreamEvent): void {
    if (this.#isClosed) return
    if (this.#queue.isFull) {
      this.#harness.cancel()
      const message = 'The agent sends faster than the server can store; the request is repeated.'
      const { clock } = this.#options.broker.runtime
      this.#tell(brokenRequest(clock, { code: 'queue_full', message, retryable: true }))
      return
    }
    this.#tell((_state, ids) => ({ type: 'harness_stream', streamEvent, ids }))
    if (this.#options.harness.runsOwnTools) {
      this.#tell((_state, ids) => agentToolEvent(streamEvent, ids))
      return
    }
    if (streamEvent.type !== 'tool_call_completed') return
    const { streamId, payload } = streamEvent
    const [callId, name] = [payloadText(streamEvent, 'callId'), payloadText(streamEvent, 'name')]
    const args = payload.arguments ?? {}
    const { tools, ownTools } = this.#options.broker
    const isOurs = ownTools.definitions.some((tool) => tool.name === name)
    const mutating = !isOurs && isMutatingCall(name, args, tools.isMutating(name, args))
    const call = { callId, name, arguments: args, mutating }
    this.#tell(() => ({ type: 'tool_requested', streamId, call }))
  }

  /** Resolves when everything that was submitted so far is stored, or never will be. */
  async #stored(): Promise<void> {
    await this.submit(() => null).catch(() => {})
  }

  /** An event that nobody waits for. */
  #tell(make: (state: AgentState, ids: FreshIds) => AgentEvent | null): void {
    if (this.#isClosed) return
    this.submit(make).catch((fault) => {
      if (!this.#isClosed) this.#options.broker.observer.fault(this.row.sessionId, fault)
    })
  }

  /** One timer, set from the state alone: it survives by being stored. */
  #setTimer(): void {
    this.#stopTimer()
    const wake = nextWake(this.#queue.state)
    if (wake === null || this.#isClosed) return
    const { runtime, timers } = this.#options.broker
    const { clock } = runtime
    this.#stopTimer = timers.set(() => {
      this.#tell((state, ids) => dueEvent(state, clock.now(), { ids, eventId: clock.newId('evt') }))
      // The time may not be quite over yet: the clock of timers is another one.
      this.#stopTimer = timers.set(() => this.#setTimer(), 10)
    }, wake - clock.now())
  }

  #breakOff(fault: unknown): void {
    if (this.#isClosed) return
    this.#options.broker.observer.fault(this.row.sessionId, fault)
    void this.close()
    this.#options.onGone()
  }

  #end(): void {
    this.#isClosed = true
    this.#life.abort()
    this.#stopTimer()
    this.#options.onGone()
  }
}

function optionsOf(row: SessionRow): JsonObject {
  return JSON.parse(row.options)
}

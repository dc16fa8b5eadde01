import {
  type AgentAction,
  type AgentEvent,
  type AgentMessage,
  type AgentState,
  type AgentStep,
  closeStreamGap,
  contextMessages,
  dueEvent,
  freshIds,
  gapWake,
  type HookConfig,
  hasRunEnded,
  initialAgentState,
  newStreamOrder,
  nextWake,
  recovery,
  reduceAgent,
  type StreamEvent,
  type StreamOrder,
  takeStreamEvent,
} from '@statewright/core/internal'
import { streamEvent } from '../../packages/core/src/agent/agent.test-kit.ts'
import { brokenInvariants, brokenStep } from '../../packages/core/src/agent/invariants.test-kit.ts'
import { deepFreeze } from '../properties/pick.ts'
import { chanceFrom } from './chance.ts'
import { brokenContext } from './context-claims.ts'
import { nonsense } from './nonsense.ts'

interface Request {
  readonly streamId: string
  seq: number
  calls: number
}

/**
 * A session in a simulated world: its machine, and a harness, tools and hooks that do what chance
 * says. Every step is held to the invariants, and everything that is carried out is counted.
 */
export class AgentWorld {
  readonly #chance: () => number
  readonly #isAgent: boolean
  readonly trace: string[] = []
  /** Stored with each step, like the state. */
  readonly messages: AgentMessage[] = []
  state: AgentState
  now = 1_000_000
  steps = 0
  #stored: string
  #ids = 0
  #request: Request | null = null
  #order: StreamOrder = newStreamOrder
  /** Tools and hooks that were asked for, and those that really run. */
  readonly #requested = new Set<string>()
  readonly #running = new Set<string>()
  readonly #requestedHooks = new Set<string>()
  readonly #runningHooks = new Set<string>()
  readonly #ends = new Map<string, number>()
  readonly #carriedOut = new Map<string, number>()
  readonly #personRetries = new Map<string, number>()
  /** What a person said and was not begun yet, in the order in which it must be. */
  #waiting: string[] = []
  readonly #begun = new Set<string>()

  constructor(seed: number, hooks: readonly HookConfig[]) {
    this.#chance = chanceFrom(seed)
    this.#isAgent = seed % 3 === 0
    this.state = initialAgentState(`sess_${seed}`)
    this.#stored = JSON.stringify(this.state)
    const base = { harness: 'scripted', projectPath: '/p', hooks, llmTimeoutMs: 120_000 }
    // Small enough that many come to the end of it; agents with tools of their own have none.
    const settings = this.#isAgent ? base : { ...base, contextTokens: 2000 }
    this.send({ type: 'spawn', settings })
  }

  get isOver(): boolean {
    return this.state.kind === 'stopped'
  }

  /** One thing happens, whichever chance picks of all that could. */
  turn(): void {
    const moves = this.#moves()
    moves[Math.floor(this.#chance() * moves.length)]?.()
  }

  /** What may not be at the end: a run without an end, or with two. */
  finish(): string[] {
    if (!this.isOver) this.send({ type: 'stop_requested', reason: 'the end' })
    for (let tries = 0; !this.isOver && tries < 3; tries++) {
      this.send({ type: 'harness_exited', code: 0 })
    }
    const wrong: string[] = []
    for (const [id, times] of this.#ends) if (times !== 1) wrong.push(`${id} ended ${times} times`)
    for (const [what, times] of this.#carriedOut) {
      const allowed = 1 + (this.#personRetries.get(what) ?? 0)
      if (times > allowed) wrong.push(`${what} was carried out ${times} times, ${allowed} allowed`)
    }
    return wrong
  }

  send(event: AgentEvent): AgentStep {
    this.steps += 1
    this.trace.push(`${this.state.kind} <- ${event.type}`)
    const before = deepFreeze(this.state)
    const step = reduceAgent(before, event, this.now)
    const { state, actions } = step
    this.#hold([...brokenInvariants(state), ...brokenStep(before, state, actions)])
    this.#hold(step.refusal !== undefined && state !== before ? ['a refusal changes nothing'] : [])
    this.state = state
    this.#stored = JSON.stringify({ ...state, buffer: '', heardAtMs: 0 })
    for (const action of actions) this.#perform(action)
    if (this.state.kind === 'stopping' || this.state.kind === 'stopped') this.#waiting = []
    const queue = this.state.queue.map(({ messageId }) => messageId)
    const isOther = step.refusal === undefined && queue.join() !== this.#waiting.join()
    this.#hold(isOther ? [`the queue is ${queue} and not ${this.#waiting}`] : [])
    return step
  }

  story(): string {
    return this.trace.slice(-30).join(', ')
  }

  #moves(): (() => void)[] {
    const always = [
      () => this.#pass(Math.floor(this.#chance() * 3000)),
      () => this.#wake(),
      () => this.#rarely(0.1, () => this.#crash()),
      () => this.#rarely(0.02, () => this.send({ type: 'stop_requested', reason: 'chance' })),
      () => this.#rarely(0.1, () => this.send({ type: 'harness_exited', code: this.#code() })),
      () => this.#rarely(0.2, () => this.#nonsense()),
      () => this.#input(),
      () => this.#rarely(0.1, () => this.#withdraw()),
      () => this.#rarely(0.1, () => this.send({ type: 'interrupt_requested' })),
      () => this.#rarely(0.1, () => this.send({ type: 'model_chosen', model: 'other' })),
    ]
    const { kind } = this.state
    if (kind === 'starting')
      always.push(() => this.send({ type: 'harness_ready', ids: this.#freshIds() }))
    if (kind === 'stopping') always.push(() => this.send({ type: 'harness_exited', code: 0 }))
    if (kind === 'error') always.push(() => this.#rarely(0.5, () => this.#personRetry()))
    const work: (() => void)[] = []
    if (this.#request !== null) work.push(() => this.#stream())
    for (const runId of this.#requested) work.push(() => this.#startTool(runId))
    for (const runId of this.#running) work.push(() => this.#endTool(runId))
    for (const runId of this.#requestedHooks) work.push(() => this.#startHook(runId))
    for (const runId of this.#runningHooks) work.push(() => this.#endHook(runId))
    // Work goes on more often than things break, or sessions would never get far.
    return [...always, ...work, ...work, ...work]
  }

  #perform(action: AgentAction): void {
    switch (action.type) {
      case 'send_to_harness':
        this.#request = { streamId: action.streamId, seq: 0, calls: 0 }
        this.#order = newStreamOrder
        // What the model would read is a conversation that every provider takes.
        this.#hold(brokenContext(this.messages, contextMessages(this.messages)))
        return
      case 'cancel_request':
        this.#request = null
        return
      case 'append_messages':
        for (const message of action.messages) if (message.role === 'user') this.#begin(message)
        this.messages.push(...action.messages)
        return
      case 'execute_tools':
        for (const { runId } of action.tools) this.#requested.add(runId)
        return
      case 'run_post_tool_hooks':
        this.#requestedHooks.add(action.hookRunId)
        return
      case 'cancel_runs':
        for (const id of action.toolRunIds) this.#forget(id, this.#requested, this.#running)
        for (const id of action.hookRunIds)
          this.#forget(id, this.#requestedHooks, this.#runningHooks)
        return
      case 'emit_state_event': {
        const { event } = action
        if (event.type !== 'tool_lifecycle' && event.type !== 'hook_lifecycle') return
        const ends = this.#ends.get(event.runId) ?? 0
        this.#ends.set(event.runId, ends + (hasRunEnded(event.status) ? 1 : 0))
        return
      }
      default:
        return
    }
  }

  /** Now and then a canceled one had just ended, and its result comes late. */
  #forget(runId: string, requested: Set<string>, running: Set<string>): void {
    requested.delete(runId)
    if (this.#chance() < 0.7) running.delete(runId)
  }

  #stream(): void {
    const request = this.#request
    if (request === null) return
    const luck = this.#chance()
    if (luck < 0.04) this.#piece(request, 'error', { code: 'broken', message: 'broken' })
    else if (luck < 0.05) this.#piece(request, 'error', { code: 'context_too_long', message: 'x' })
    // A piece is lost on the way: those behind it wait until the hole is given up.
    else if (luck < 0.06) request.seq += 1
    else if (luck < 0.5) this.#piece(request, 'text_delta', { text: 'word ' })
    else if (luck < 0.75 && request.calls < 4) this.#callTool(request)
    else this.#piece(request, 'completed', {})
  }

  #callTool(request: Request): void {
    request.calls += 1
    const name = ['read_file', 'edit_file'][Math.floor(this.#chance() * 3)] ?? 'bash'
    if (this.#isAgent) this.#useOwnTool(request.streamId, name)
    else this.#piece(request, 'tool_call_completed', { callId: `call_${++this.#ids}`, name })
  }

  /** Of an agent some calls stay open, and some end that never began. */
  #useOwnTool(streamId: string, name: string): void {
    const call = { callId: `call_${this.#ids % 4}`, name, arguments: {}, mutating: name === 'bash' }
    const status = (['queued', 'running', 'succeeded'] as const)[this.#ids % 3] ?? 'queued'
    this.send({ type: 'agent_tool', streamId, call, status, ids: this.#freshIds() })
  }

  #piece(request: Request, type: StreamEvent['type'], payload: Record<string, string>): void {
    request.seq += 1
    const { calls: _, ...at } = request
    const event = streamEvent({ eventId: `evt_${++this.#ids}`, ...at, type, payload })
    if (type === 'completed' || type === 'error') this.#request = null
    const taken = takeStreamEvent(this.#order, event, this.now)
    this.#order = taken.order
    this.#release(taken.released)
  }

  #release(events: readonly StreamEvent[]): void {
    for (const streamEvent of events) {
      this.send({ type: 'harness_stream', streamEvent, ids: this.#freshIds() })
      if (streamEvent.type !== 'tool_call_completed') continue
      const name = String(streamEvent.payload.name)
      const call = {
        callId: String(streamEvent.payload.callId),
        name,
        arguments: {},
        mutating: name !== 'read_file',
      }
      this.send({ type: 'tool_requested', streamId: streamEvent.streamId, call })
    }
  }

  #hold(broken: readonly string[]): void {
    if (broken.length > 0) throw new Error(`${broken.join('; ')} after ${this.story()}`)
  }

  #startTool(runId: string): void {
    this.#requested.delete(runId)
    const ids = this.#freshIds()
    if (this.#chance() < 0.1) {
      const denied = { status: 'succeeded', output: 'denied', isError: true } as const
      this.send({ type: 'tool_completed', runId, ids, ...denied })
      return
    }
    this.send({ type: 'tool_started', runId, timeoutMs: 1000 })
    const run = this.state.toolRuns.find((one) => one.runId === runId)
    if (run?.status !== 'running') return
    this.#running.add(runId)
    // A tool that changes things is carried out once per call, unless a person wants it again.
    this.#count(run.mutating ? `call ${run.callId}` : `run ${runId}`)
  }

  #endTool(runId: string): void {
    const luck = this.#chance()
    if (luck < 0.1) return
    this.#running.delete(runId)
    const status = luck < 0.25 ? 'failed' : 'succeeded'
    const ids = this.#freshIds()
    const output = 'done '.repeat(Math.floor(this.#chance() * 300))
    this.send({ type: 'tool_completed', runId, status, output, ids })
    // Results come twice now and then.
    if (luck > 0.95) this.send({ type: 'tool_completed', runId, status, output: 'again', ids })
  }

  #startHook(runId: string): void {
    this.#requestedHooks.delete(runId)
    this.send({ type: 'hook_started', runId })
    const run = this.state.hookRuns.find((one) => one.runId === runId)
    if (run?.status !== 'running') return
    this.#runningHooks.add(runId)
    this.#count(`run ${runId}`)
  }

  #endHook(runId: string): void {
    const luck = this.#chance()
    if (luck < 0.1) return
    this.#runningHooks.delete(runId)
    const ids = this.#freshIds()
    this.send({ type: 'hook_completed', runId, status: luck < 0.3 ? 'failed' : 'succeeded', ids })
  }

  #personRetry(): void {
    const target = this.state.retryTarget
    if (target === null) return
    const run =
      target.kind === 'tool' && this.state.toolRuns.find(({ runId }) => runId === target.runId)
    const step = this.send({ type: 'retry_timeout', target, by: 'person', ids: this.#freshIds() })
    if (run === undefined || run === false || step.refusal !== undefined) return
    this.#count(`call ${run.callId}`, this.#personRetries)
  }

  #input(): void {
    const { kind } = this.state
    if (kind !== 'ready' && !(this.#chance() < 0.05)) return
    const ids = this.#freshIds()
    const messageId = `msg_${++this.#ids}`
    const when = this.#chance() < 0.3 ? 'interrupt' : 'queue'
    const isWorking = ['calling_llm', 'executing_tools', 'post_tools_hook'].includes(kind)
    const before = this.#waiting
    const isFirst = isWorking && when === 'interrupt'
    this.#waiting = isFirst ? [messageId, ...before] : [...before, messageId]
    const step = this.send({ type: 'user_input', text: 'go', messageId, when, ids })
    if (step.refusal !== undefined) this.#waiting = before
  }

  #withdraw(): void {
    const messageId = this.#waiting[Math.floor(this.#chance() * this.#waiting.length)]
    if (messageId === undefined) return
    this.#waiting = this.#waiting.filter((one) => one !== messageId)
    this.send({ type: 'input_withdrawn', messageId })
  }

  /** What was said is begun in its order and once, over crashes, errors and interruptions. */
  #begin({ messageId }: { readonly messageId: string }): void {
    const [first, ...rest] = this.#waiting
    const isWrong = first !== messageId || this.#begun.has(messageId)
    this.#hold(isWrong ? [`${messageId} was begun, and ${first} was next`] : [])
    this.#begun.add(messageId)
    this.#waiting = rest
  }

  /** The server dies: what was stored is all that is left, and what ran runs no more. */
  #crash(): void {
    this.trace.push('CRASH')
    this.state = JSON.parse(this.#stored)
    this.#request = null
    for (const set of [this.#requested, this.#running, this.#requestedHooks, this.#runningHooks]) {
      set.clear()
    }
    for (let count = 0; count < 1000; count++) {
      const { event, actions } = recovery(this.state, this.now, this.#facts())
      for (const action of actions) this.#perform(action)
      if (event === null) return
      this.send(event)
    }
    throw new Error('recovery does not end')
  }

  #pass(ms: number): void {
    this.now += ms
    this.#fireDue()
  }

  /** Time goes on to whatever is next, so that nothing waits for ever. */
  #wake(): void {
    const times = [nextWake(this.state), gapWake(this.#order)].filter((time) => time !== null)
    const next = Math.min(...times)
    if (!Number.isFinite(next) || this.#chance() < 0.5) return
    this.now = Math.max(this.now, next)
    this.#fireDue()
  }

  #fireDue(): void {
    const closed = closeStreamGap(this.#order, this.now)
    this.#order = closed.order
    this.#release(closed.released)
    const due = dueEvent(this.state, this.now, this.#facts())
    if (due !== null) this.send(due)
  }

  #nonsense(): void {
    const events = nonsense(this.#freshIds())
    const event = events[Math.floor(this.#chance() * events.length)]
    if (event !== undefined) this.send(event)
  }

  #count(what: string, counts = this.#carriedOut): void {
    counts.set(what, (counts.get(what) ?? 0) + 1)
  }

  #rarely(chance: number, work: () => void): void {
    if (this.#chance() < chance) work()
  }

  #code(): number | null {
    return [0, 1, 1][Math.floor(this.#chance() * 5)] ?? null
  }

  #facts() {
    return { ids: this.#freshIds(), eventId: `evt_${++this.#ids}` }
  }

  #freshIds() {
    return freshIds(this.state, () => String(++this.#ids))
  }
}

import {
  type AgentMessage,
  type AgentStateSnapshot,
  type AgentStep,
  agentError,
  agentSnapshot,
  err,
  initialAgentState,
  ok,
  type Result,
  type RetryTarget,
  sessionTimeouts,
} from '@statewright/core/internal'
import type { Caller } from '../../base/caller.ts'
import { problem, type RuntimeProblem } from '../../base/problem.ts'
import { giveTask } from '../../runtime/change-run.ts'
import { seenBy, seesSession } from '../../runtime/scope.ts'
import { startRun } from '../../runtime/start-run.ts'
import type { SessionRow, SessionSummary, StoredUpdate } from '../../store/session-store.ts'
import type { BrokerOptions, SpawnRequest } from './broker-options.ts'
import { CommitTurns } from './commit-turns.ts'
import { LiveSession } from './live-session.ts'
import { commandOf, noteCommand } from './note-command.ts'

/** A session as lists and attaching clients see it. */
export interface SessionView {
  readonly row: SessionRow
  readonly snapshot: AgentStateSnapshot
  /** Place of the newest update: whoever attaches reads on from here. */
  readonly place: number
  readonly messages: readonly AgentMessage[]
}

type Answer<Value> = Promise<Result<Value, RuntimeProblem>>

/**
 * The registry of sessions. All that changes a session passes here: requests come in by these
 * methods, and what harness, tools and hooks report goes into the same queues.
 */
export class SessionBroker {
  readonly #options: BrokerOptions
  readonly #live = new Map<string, LiveSession>()
  readonly #taking = new Map<string, Promise<LiveSession | undefined>>()
  readonly #watchers = new Map<string, Set<() => void>>()
  readonly #turns = new CommitTurns()
  #isClosed = false

  constructor(options: BrokerOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#live.size
  }

  /** Those who follow sessions at the moment. */
  get watchers(): number {
    let count = 0
    for (const watchers of this.#watchers.values()) count += watchers.size
    return count
  }

  get harnessNames(): readonly string[] {
    return [...this.#options.harnesses.keys()]
  }

  /** Takes up what this node ran when it died (SE-9). */
  async recover(): Promise<number> {
    const { runtime, node, limits } = this.#options
    const rows = await runtime.store.sessions.list({ node, isLive: true, limit: limits.sessions })
    for (const row of rows) await this.#takeUp(row.sessionId)
    return rows.length
  }

  async spawn(caller: Caller, request: SpawnRequest): Answer<SessionView> {
    const { runtime, limits, harnesses, node } = this.#options
    const harness = harnesses.get(request.harness)
    if (harness === undefined) {
      const next = `take one of: ${this.harnessNames.join(', ')}.`
      const message = `There is no harness "${request.harness.slice(0, 100)}".`
      return err(problem('usage', message, { where: 'harness', next }))
    }
    if (this.#live.size + this.#taking.size >= limits.sessions) {
      const message = `${limits.sessions} sessions run already.`
      return err(problem('too_many_requests', message, { next: 'stop one that is not needed.' }))
    }
    const sessionId = runtime.clock.newId('sess')
    // Announced by nobody's token, so that no agent can call itself so (PO-8).
    await runtime.sessions.claim(sessionId, sessionId)
    const bound = await this.#bind(caller, sessionId, request)
    if (!bound.ok) return bound
    const { projectPath } = request
    await runtime.store.sessions.create({
      sessionId,
      node,
      owner: caller.tokenId,
      role: caller.kind === 'person' ? 'agent' : caller.role,
      harness: request.harness,
      projectPath,
      options: JSON.stringify(request.options),
      runId: bound.value,
      workflow: request.workflow ?? request.process ?? null,
      createdAt: runtime.clock.now(),
      state: initialAgentState(sessionId),
    })
    await this.#record(caller, sessionId, request, bound.value)
    const live = await this.#takeUp(sessionId, { isNew: true })
    if (live === undefined) return err(notFound(sessionId))
    const hooks = this.#options.hooks()
    const llmTimeoutMs = harness.llmTimeoutMs ?? sessionTimeouts.llmTimeoutMs
    const settings = { harness: harness.name, projectPath, hooks: hooks.hooks, llmTimeoutMs }
    const warnings =
      hooks.problem === null ? [] : [agentError('hook_config_invalid', hooks.problem)]
    await live.submit(() => ({ type: 'spawn', settings, warnings }))
    return ok(viewOf(live))
  }

  async attach(caller: Caller, sessionId: string): Answer<SessionView> {
    const row = await this.#visible(caller, sessionId)
    if (row === undefined) return err(notFound(sessionId))
    const live = this.#live.get(sessionId)
    if (live !== undefined) return ok(viewOf(live))
    const messages = await this.#options.runtime.store.sessions.messages(sessionId)
    return ok({ row, snapshot: agentSnapshot(row.state), place: row.place, messages })
  }

  async list(caller: Caller, limit: number): Promise<readonly SessionSummary[]> {
    const { seenBy: owner } = seenBy(caller)
    const of = owner === undefined ? {} : { owner }
    return this.#options.runtime.store.sessions.list({ ...of, limit })
  }

  async input(caller: Caller, sessionId: string, text: string): Answer<SessionView> {
    const { limits, runtime } = this.#options
    if (text.length > limits.input) {
      const message = `An input may have ${limits.input} characters.`
      return err(problem('body_too_large', message, { where: 'text' }))
    }
    await this.#giveTask(caller, sessionId, text)
    return this.#change(caller, sessionId, (live) => {
      if (live.conversationSize > limits.conversation) return tooLarge(limits.conversation)
      return live.submit((_state, ids) => ({
        type: 'user_input',
        text,
        messageId: runtime.clock.newId('msg'),
        ids,
      }))
    })
  }

  /** What a person writes is what the run's conditions know as the task (FC-11). */
  async #giveTask(caller: Caller, sessionId: string, text: string): Promise<void> {
    const { runtime } = this.#options
    if (caller.kind !== 'person') return
    const runId = (await this.#visible(caller, sessionId))?.runId
    const live = runId === undefined || runId === null ? undefined : await runtime.live.get(runId)
    if (live !== undefined) await giveTask(runtime, caller, live, text)
  }

  /** Stops it; one that has stopped, or is about to, is left alone. */
  async stop(caller: Caller, sessionId: string, reason: string): Answer<SessionView> {
    const row = await this.#visible(caller, sessionId)
    if (row === undefined) return err(notFound(sessionId))
    if (row.kind === 'stopped') return this.attach(caller, sessionId)
    return this.#change(caller, sessionId, (live) =>
      live.submit((state) =>
        state.kind === 'stopping' || state.kind === 'stopped'
          ? null
          : { type: 'stop_requested', reason },
      ),
    )
  }

  async retry(caller: Caller, sessionId: string, target: RetryTarget): Answer<SessionView> {
    return this.#change(caller, sessionId, (live) =>
      live.submit((_state, ids) => ({ type: 'retry_timeout', target, by: 'person', ids })),
    )
  }

  updates(sessionId: string, after: number, limit: number): Promise<readonly StoredUpdate[]> {
    return this.#options.runtime.store.sessions.events(sessionId, { after, limit })
  }

  /** Calls back whenever a session may have something new, until it is given up. */
  watch(sessionId: string, wake: () => void): () => void {
    const watchers = this.#watchers.get(sessionId) ?? new Set()
    this.#watchers.set(sessionId, watchers)
    watchers.add(wake)
    return () => {
      watchers.delete(wake)
      // Others may have come since the last one left, and are in a set of their own.
      const isCurrent = this.#watchers.get(sessionId) === watchers
      if (isCurrent && watchers.size === 0) this.#watchers.delete(sessionId)
    }
  }

  /** Resolves when the run that judges a session knows what it has cost so far. */
  async costReported(sessionId: string): Promise<void> {
    await this.#live.get(sessionId)?.costReported
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const sessions = [...this.#live.values()]
    this.#live.clear()
    await Promise.all(sessions.map((session) => session.close()))
    await this.#options.tools.close()
    await this.#options.hookRunner.close()
  }

  /** A run for the session, so that every call is judged by it. */
  async #bind(
    caller: Caller,
    sessionId: string,
    { workflow, process, context, projectPath }: SpawnRequest,
  ): Answer<string | null> {
    if (workflow === undefined && process === undefined) return ok(null)
    const started = await startRun(this.#options.runtime, caller, {
      ...(workflow === undefined ? {} : { workflow }),
      ...(process === undefined ? {} : { process }),
      ...(context === undefined ? {} : { context }),
      session: sessionId,
      inSession: true,
      project: projectPath,
      workspace: projectPath,
    })
    return started.ok ? ok(started.value.live.row.runId) : started
  }

  async #record(
    caller: Caller,
    sessionId: string,
    { harness, projectPath, options }: SpawnRequest,
    runId: string | null,
  ): Promise<void> {
    const { runtime, observer } = this.#options
    const command = commandOf(options)
    observer.started({ sessionId, harness, projectPath, runId, by: caller.name, command })
    if (runId === null || command === null) return
    await noteCommand(runtime, caller, { runId, sessionId, command })
  }

  async #change(
    caller: Caller,
    sessionId: string,
    change: (live: LiveSession) => Promise<AgentStep | null> | RuntimeProblem,
  ): Answer<SessionView> {
    const row = await this.#visible(caller, sessionId)
    if (row === undefined) return err(notFound(sessionId))
    if (row.kind === 'stopped') return err(refused('The session has stopped.'))
    if (row.node !== this.#options.node) return err(refused(`It runs on the node ${row.node}.`))
    const live = await this.#takeUp(sessionId)
    if (live === undefined) return err(notFound(sessionId))
    if (live.isFull) return err(problem('too_many_requests', 'Its queue is full.'))
    const done = change(live)
    if (!(done instanceof Promise)) return err(done)
    const step = await done
    if (step?.refusal !== undefined) return err(refused(step.refusal.message))
    return ok(viewOf(live))
  }

  async #visible(caller: Caller, sessionId: string): Promise<SessionRow | undefined> {
    const row = await this.#options.runtime.store.sessions.load(sessionId)
    if (row === undefined) return undefined
    return seesSession(caller, row) ? row : undefined
  }

  /** The session at work; loaded once, however many ask at the same time. */
  async #takeUp(sessionId: string, how: { isNew?: true } = {}): Promise<LiveSession | undefined> {
    const known = this.#live.get(sessionId)
    if (known !== undefined) return known
    const taking = this.#taking.get(sessionId) ?? this.#load(sessionId, how)
    this.#taking.set(sessionId, taking)
    try {
      return await taking
    } finally {
      this.#taking.delete(sessionId)
    }
  }

  async #load(sessionId: string, how: { isNew?: true }): Promise<LiveSession | undefined> {
    const { sessions } = this.#options.runtime.store
    const row = await sessions.load(sessionId)
    const harness = row === undefined ? undefined : this.#options.harnesses.get(row.harness)
    if (row === undefined || harness === undefined || this.#isClosed) return undefined
    const messages = how.isNew === true ? [] : await sessions.messages(sessionId)
    const live: LiveSession = new LiveSession({
      broker: this.#options,
      row,
      messages,
      harness,
      caller: callerOf(row),
      turns: this.#turns,
      onUpdates: () => this.#wake(sessionId),
      onGone: () => {
        if (this.#live.get(sessionId) === live) this.#live.delete(sessionId)
        this.#wake(sessionId)
      },
    })
    this.#live.set(sessionId, live)
    if (how.isNew !== true) await live.recover()
    return live
  }

  #wake(sessionId: string): void {
    for (const wake of this.#watchers.get(sessionId) ?? []) wake()
  }
}

/** The agent of a session is never the person who started it: it cannot approve or force. */
function callerOf({ owner, role, sessionId }: SessionRow): Caller {
  const agent = { kind: 'agent', role, name: sessionId, client: 'statewright' } as const
  return { ...agent, tokenId: owner, session: sessionId }
}

function viewOf(live: LiveSession): SessionView {
  const { row, state, place, costMicros, messages } = live
  const now = { ...row, state, kind: state.kind, place, costMicros }
  return { row: now, snapshot: agentSnapshot(state), place, messages: [...messages] }
}

function notFound(sessionId: string): RuntimeProblem {
  const next = 'list them with `statewright session list`.'
  return problem('session_not_found', `There is no session ${sessionId.slice(0, 100)}.`, { next })
}

function refused(message: string): RuntimeProblem {
  const next = 'look at it with `statewright session show`.'
  return problem('state_transition_invalid', message, { next })
}

function tooLarge(max: number): RuntimeProblem {
  const message = `The conversation has more than ${max} characters.`
  return problem('context_too_large', message, { next: 'start a new session.' })
}

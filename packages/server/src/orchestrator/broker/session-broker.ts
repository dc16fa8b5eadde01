import {
  agentSnapshot,
  defined,
  type Entry,
  err,
  initialAgentState,
  type OutputEvent,
  ok,
  type Result,
  type RetryTarget,
} from '@statewright/core/internal'
import type { Caller } from '../../base/caller.ts'
import { problem, type RuntimeProblem } from '../../base/problem.ts'
import { giveTask } from '../../runtime/runs/change-run.ts'
import { seenBy, seesSession } from '../../runtime/runs/scope.ts'
import type { PostedRequest } from '../../store/node-store.ts'
import type { SessionRow, SessionSummary, StoredUpdate } from '../../store/session-store.ts'
import type { Harness } from '../ports.ts'
import { bindRun } from './bind-run.ts'
import type { BrokerOptions, SpawnRequest } from './broker-options.ts'
import { checkSpawn } from './check-spawn.ts'
import { CommitTurns } from './commit-turns.ts'
import { LiveSession } from './live-session.ts'
import { NodeWork } from './node-work.ts'
import { recordStart } from './note-command.ts'
import {
  commandEvent,
  type PassedAnswer,
  type PassedCommand,
  type SessionCommand,
} from './session-command.ts'
import { notFound, refused, tooLarge, tooMany, unreached } from './session-problems.ts'
import { beginRunAgain, endRunOf, Verdicts } from './session-run.ts'
import { settingsFor, startOf } from './session-settings.ts'
import { callerOf, type SessionView, viewOf } from './session-view.ts'
import { Watchers } from './watchers.ts'

type Answer<Value> = Promise<Result<Value, RuntimeProblem>>

/**
 * The registry of sessions. All that changes a session passes here: requests come in by these
 * methods, and what harness, tools and hooks report goes into the same queues.
 */
export class SessionBroker {
  readonly #options: BrokerOptions
  readonly #live = new Map<string, LiveSession>()
  readonly #taking = new Map<string, Promise<LiveSession | undefined>>()
  /** Stored already, but not yet at work: nobody else is to take them up. */
  readonly #spawning = new Set<string>()
  readonly #watchers = new Watchers()
  readonly #verdicts: Verdicts
  readonly #turns = new CommitTurns()
  readonly #node: NodeWork
  #isClosed = false

  constructor(options: BrokerOptions) {
    this.#options = options
    this.#verdicts = new Verdicts(options)
    this.#node = new NodeWork({
      broker: options,
      isHere: (id) => [this.#live, this.#taking, this.#spawning].some((ids) => ids.has(id)),
      takeUp: async (id) => (await this.#takeUp(id)) !== undefined,
      letGo: () => this.#letGo(),
      carryOut: (request, passed) => this.#carryOutPassed(request, passed),
      followed: () => this.#watchers.sessions().filter((id) => !this.#live.has(id)),
      wake: (id) => this.#watchers.wake(id),
    })
  }

  get size(): number {
    return this.#live.size
  }

  /** Those who follow sessions at the moment. */
  get watchers(): number {
    return this.#watchers.size
  }

  /** Not once it is closed, nor while others may believe that this node is dead. */
  get #mayWork(): boolean {
    return !this.#isClosed && this.#node.mayWork
  }

  get #isFull(): boolean {
    return this.#live.size + this.#taking.size >= this.#options.limits.sessions
  }

  get harnessNames(): readonly string[] {
    return [...this.#options.harnesses.keys()]
  }

  /** Takes up what nobody has at work, and from then on what other nodes leave (SE-9, SE-18). */
  recover(): Promise<number> {
    return this.#node.enter()
  }

  /** Others may take the sessions from now on: all that works on them here ends first. */
  async #letGo(): Promise<void> {
    const sessions = [...this.#live.values()]
    this.#live.clear()
    await Promise.all(sessions.map((session) => session.close()))
  }

  async spawn(caller: Caller, request: SpawnRequest): Answer<SessionView> {
    const { runtime, harnesses } = this.#options
    const checked = await checkSpawn(harnesses, request)
    if (!checked.ok) return checked
    const harness = checked.value
    if (this.#isFull) return err(tooMany(this.#options.limits.sessions))
    if (!this.#mayWork) return err(unreached())
    const sessionId = runtime.clock.newId('sess')
    this.#spawning.add(sessionId)
    try {
      return await this.#spawn(caller, sessionId, harness, request)
    } finally {
      this.#spawning.delete(sessionId)
    }
  }

  async #spawn(
    caller: Caller,
    sessionId: string,
    harness: Harness,
    request: SpawnRequest,
  ): Answer<SessionView> {
    const { runtime, node } = this.#options
    // Announced by nobody's token, so that no agent can call itself so (PO-8).
    await runtime.sessions.claim(sessionId, sessionId)
    const bound = await bindRun(runtime, caller, sessionId, request)
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
    await recordStart(this.#options, caller, { sessionId, ...request, runId: bound.value })
    const live = await this.#takeUp(sessionId, { isNew: true })
    if (live === undefined) return err(notFound(sessionId))
    const start = startOf(this.#options, harness, request)
    await live.submit(() => ({ type: 'spawn', ...start }))
    return ok(viewOf(live, live.row))
  }

  async attach(caller: Caller, sessionId: string): Answer<SessionView> {
    const row = await this.#visible(caller, sessionId)
    if (row === undefined) return err(notFound(sessionId))
    const live = this.#live.get(sessionId)
    if (live !== undefined) return ok(viewOf(live, row))
    const messages = await this.#options.runtime.store.sessions.messages(sessionId)
    return ok({ row, snapshot: agentSnapshot(row.state), place: row.place, messages, system: null })
  }

  async list(caller: Caller, limit: number): Promise<readonly SessionSummary[]> {
    const { seenBy: owner } = seenBy(caller)
    const of = owner === undefined ? {} : { owner }
    return this.#options.runtime.store.sessions.list({ ...of, limit })
  }

  /** Says something: at once where it rests, else when the turn ends or by ending it. */
  async input(
    caller: Caller,
    sessionId: string,
    { text, when }: { readonly text: string; readonly when?: 'queue' | 'interrupt' },
  ): Answer<SessionView> {
    const { limits } = this.#options
    if (text.length > limits.input) {
      const message = `An input may have at most ${limits.input} characters.`
      return err(problem('body_too_large', message, { where: 'text' }))
    }
    await this.#giveTask(caller, sessionId, text)
    return this.#command(caller, sessionId, { type: 'input', text, ...defined({ when }) })
  }

  /** What a person writes is the task of the run's conditions (FC-11). */
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
    return this.#command(caller, sessionId, { type: 'stop', reason })
  }

  /** Runs a failed tool or hook again; without either, the model or the start of the harness. */
  async retry(caller: Caller, sessionId: string, target?: RetryTarget): Answer<SessionView> {
    return this.#command(caller, sessionId, { type: 'retry', ...defined({ target }) })
  }

  /** Ends the turn and keeps the session. */
  async interrupt(caller: Caller, sessionId: string): Answer<SessionView> {
    return this.#command(caller, sessionId, { type: 'interrupt' })
  }

  /** Has the conversation summed up, so that the model reads less of it. */
  async compact(caller: Caller, sessionId: string): Answer<SessionView> {
    return this.#command(caller, sessionId, { type: 'compact' })
  }

  /** Takes back what was queued and not begun. */
  async withdraw(caller: Caller, sessionId: string, messageId: string): Answer<SessionView> {
    return this.#command(caller, sessionId, { type: 'withdraw', messageId })
  }

  /** Starts one again that has stopped, with its conversation. */
  async resume(caller: Caller, sessionId: string): Answer<SessionView> {
    if (this.#isFull) return err(tooMany(this.#options.limits.sessions))
    const row = await this.#visible(caller, sessionId)
    const begun =
      row?.kind === 'stopped' ? await beginRunAgain(this.#options, caller, row) : ok(null)
    return begun.ok ? this.#command(caller, sessionId, { type: 'resume' }) : begun
  }

  /** A new name, or another model for the requests to come. */
  async edit(
    caller: Caller,
    sessionId: string,
    { title, model }: { readonly title?: string | null; readonly model?: string | null },
  ): Answer<SessionView> {
    const row = await this.#visible(caller, sessionId)
    if (row === undefined) return err(notFound(sessionId))
    if (title !== undefined) await this.#options.runtime.store.sessions.rename(sessionId, title)
    if (model === undefined) return this.attach(caller, sessionId)
    return this.#command(caller, sessionId, { type: 'choose_model', model })
  }

  /** Removes one that has stopped, with everything that was said in it. */
  async remove(caller: Caller, sessionId: string): Answer<null> {
    const row = await this.#visible(caller, sessionId)
    if (row === undefined) return err(notFound(sessionId))
    if (row.kind !== 'stopped') return err(refused('The session is still running. Stop it first.'))
    await this.#options.runtime.store.sessions.remove(sessionId)
    this.#watchers.wake(sessionId)
    return ok(null)
  }

  /** Whether a session that is at work here is judged by the run. */
  readonly hasRun = (runId: string): boolean =>
    [...this.#live.values()].some(({ row }) => row.runId === runId)

  /** A run has new entries: a session that rests until a person answered goes on (SE-11b). */
  runChanged(runId: string, entries: readonly Entry[]): void {
    this.#verdicts.tell([...this.#live.values()], runId, entries)
  }

  updates(sessionId: string, after: number, limit: number): Promise<readonly StoredUpdate[]> {
    return this.#options.runtime.store.sessions.events(sessionId, { after, limit })
  }

  /** Calls back whenever a session may have something new, until it is given up. */
  watch(sessionId: string, wake: () => void): () => void {
    const leave = this.#watchers.add(sessionId, wake)
    this.#node.others?.follow()
    return leave
  }

  /** What commands of a session that is at work here have printed since a reader looked last. */
  printed(sessionId: string, seen: Map<string, number>): readonly OutputEvent[] {
    const pieces = this.#live.get(sessionId)?.outputs.since(seen) ?? []
    const timestampMs = this.#options.runtime.clock.now()
    return pieces.map((piece) => ({ type: 'output', sessionId, timestampMs, ...piece }))
  }

  /** Resolves when the run that judges a session knows what it has cost so far. */
  async costReported(sessionId: string): Promise<void> {
    await this.#live.get(sessionId)?.costReported
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#letGo()
    await this.#options.tools.close()
    await this.#options.hookRunner.close()
    await this.#node.close()
  }

  /** Has a session do what a person asks for, on whichever node it is at work. */
  async #command(caller: Caller, sessionId: string, command: SessionCommand): Answer<SessionView> {
    const row = await this.#visible(caller, sessionId)
    if (row === undefined) return err(notFound(sessionId))
    const done = (await this.#isOurs(row))
      ? await this.#carryOut(row, command)
      : await this.#passOn(caller, row, command)
    if (!done.ok) return done
    return done.value === undefined ? this.attach(caller, sessionId) : ok(viewOf(done.value, row))
  }

  async #carryOut(
    row: SessionRow,
    command: SessionCommand,
    requestId?: string,
  ): Answer<LiveSession> {
    const { limits, runtime } = this.#options
    const { sessionId } = row
    const isForStopped = command.type === 'resume' || command.type === 'choose_model'
    if (row.kind === 'stopped' && !isForStopped) {
      return err(refused('The session has stopped. Resume it first.'))
    }
    const live = await this.#takeUp(sessionId)
    if (live === undefined) return err(notFound(sessionId))
    if (live.isFull) return err(problem('too_many_requests', 'The queue of the session is full.'))
    if (command.type === 'input' && live.isTooLarge) return err(tooLarge(limits.conversation))
    const step = await live.submit((state, ids) => {
      const settings = settingsFor(this.#options, live.harness, row, state)
      return commandEvent(command, { state, ids, newId: runtime.clock.newId, ...settings })
    }, requestId)
    if (step?.refusal !== undefined) return err(refused(step.refusal.message))
    return ok(live)
  }

  async #passOn(caller: Caller, row: SessionRow, command: SessionCommand): Answer<undefined> {
    const { others } = this.#node
    if (others === undefined) return err(unreached())
    const passed = await others.pass(caller, row.sessionId, command)
    if (!passed.ok) return passed
    if ('problem' in passed.value) return err(passed.value.problem)
    return passed.value.refusal === null ? ok(undefined) : err(refused(passed.value.refusal))
  }

  /** A command that came to another node. What it changes is stored together with its answer. */
  async #carryOutPassed(request: PostedRequest, { caller, command }: PassedCommand): Promise<void> {
    const { sessionId, requestId } = request
    const row = await this.#visible(caller, sessionId)
    const done =
      row === undefined ? err(notFound(sessionId)) : await this.#carryOut(row, command, requestId)
    if (done.ok) return
    const answer: PassedAnswer = { problem: done.error }
    const { shared } = this.#options.runtime.store.nodes
    await shared?.answer({ requestId, answer: JSON.stringify(answer) })
  }

  /** Whether this node has the session, or takes it now from one that lives no more. */
  async #isOurs({ sessionId, node: from }: SessionRow): Promise<boolean> {
    const { node, runtime } = this.#options
    if (!this.#mayWork) return false
    return from === node || runtime.store.nodes.claim(sessionId, from, node)
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
    if (row === undefined || harness === undefined || !this.#mayWork) return undefined
    const messages = how.isNew === true ? [] : await sessions.messages(sessionId)
    const live: LiveSession = new LiveSession({
      broker: this.#options,
      row,
      messages,
      harness,
      caller: callerOf(row),
      turns: this.#turns,
      onUpdates: () => this.#watchers.wake(sessionId),
      onGone: () => {
        if (this.#live.get(sessionId) === live) this.#live.delete(sessionId)
        if (live.state.kind === 'stopped') endRunOf(this.#options, callerOf(row), sessionId)
        this.#watchers.wake(sessionId)
      },
    })
    this.#live.set(sessionId, live)
    if (how.isNew !== true) {
      await live.recover()
      this.#verdicts.catchUp(live)
    }
    return live
  }
}

import {
  type AgentEvent,
  type AgentState,
  type AgentStep,
  type FreshIds,
  own,
  type ToolToRun,
} from '@statewright/core/internal'
import type { Caller } from '../../base/caller.ts'
import { denialText } from '../../guard/denial.ts'
import { type Adapter, type OpenCall, openCall } from '../../guard/guarded-call.ts'
import type { ToolOutcome } from '../ports.ts'
import type { BrokerOptions } from './broker-options.ts'
import type { LiveOutputs } from './live-outputs.ts'

export interface ToolWorkOptions {
  readonly broker: BrokerOptions
  readonly caller: Caller
  readonly sessionId: string
  readonly projectPath: string
  readonly outputs: LiveOutputs
  readonly costReported: () => Promise<void>
  readonly submit: (
    make: (state: AgentState, ids: FreshIds) => AgentEvent,
  ) => Promise<AgentStep | null>
  readonly state: () => AgentState
}

/** We run them, and a session has the patience of its person. */
const sessionTools: Adapter = {
  name: 'statewright',
  runs: 'itself',
  waitsMs: Number.POSITIVE_INFINITY,
  readsByShell: false,
  results: 'observed',
}

/** Carries out the tools of one session: judged first, run once it is stored that they run. */
export class ToolWork {
  readonly #options: ToolWorkOptions
  readonly #running = new Map<string, AbortController>()

  constructor(options: ToolWorkOptions) {
    this.#options = options
  }

  async execute(tools: readonly ToolToRun[]): Promise<void> {
    await Promise.all(tools.map((tool) => this.#run(tool)))
  }

  cancel(runIds: readonly string[]): void {
    for (const runId of runIds) this.#running.get(runId)?.abort()
  }

  cancelAll(): void {
    this.cancel([...this.#running.keys()])
  }

  async #run(tool: ToolToRun): Promise<void> {
    const { runId } = tool
    if (this.#running.has(runId) || !this.#isOpen(runId)) return
    const abort = new AbortController()
    this.#running.set(runId, abort)
    try {
      await this.#judgeAndRun(tool, abort.signal)
    } catch (fault) {
      this.#options.broker.observer.fault(this.#options.sessionId, fault)
      const error = `crashed: ${fault instanceof Error ? fault.message : String(fault)}`
      await this.#complete(runId, { status: 'failed', error }).catch(() => {})
    } finally {
      this.#running.delete(runId)
    }
  }

  async #judgeAndRun({ runId, call }: ToolToRun, signal: AbortSignal): Promise<void> {
    const { broker, sessionId, projectPath, outputs } = this.#options
    const isOurs = broker.ownTools.definitions.some(({ name }) => name === call.name)
    const opened = isOurs ? null : await this.#open(runId, call, signal)
    if (signal.aborted) return
    if (opened?.ok === false) {
      const output = denialText(opened.error)
      const { code } = opened.error
      const denied = { status: 'succeeded', output, isError: true, changedNothing: true } as const
      await this.#complete(runId, denied, code)
      return
    }
    const open = opened?.value ?? null
    const timeoutMs = this.#timeoutOf(call)
    await this.#options.submit(() => ({ type: 'tool_started', runId, timeoutMs }))
    // Only what is stored as running may run: after a crash nobody could tell otherwise.
    if (signal.aborted || this.#statusOf(runId) !== 'running') return
    broker.observer.toolRuns(sessionId, runId, call.name, call.arguments)
    const { callId, name, arguments: args } = call
    const request = { sessionId, runId, callId, name, arguments: args, projectPath, timeoutMs }
    const outcome =
      open === null
        ? await this.#callOurs(call)
        : await outputs.during(runId, (onOutput) => {
            return broker.tools.run({ ...request, open, signal, onOutput })
          })
    const notices = open === null ? [] : await this.#tellRun(open, outcome)
    await this.#complete(runId, withNotices(outcome, notices))
  }

  /** What a person has said of a tool holds before what we and the model think. */
  #timeoutOf({ name, arguments: args }: ToolToRun['call']): number {
    const chosen = own(this.#options.state().settings?.toolTimeoutsMs ?? {}, name)
    return chosen ?? this.#options.broker.tools.timeoutMs(name, args)
  }

  async #open(runId: string, call: ToolToRun['call'], signal: AbortSignal) {
    const { broker, caller, sessionId, projectPath, costReported } = this.#options
    await costReported()
    const writes = broker.tools.writes(call.name)
    const request = {
      session: sessionId,
      project: projectPath,
      workspace: projectPath,
      tool: call.name,
      input: call.arguments,
      callId: runId,
      isShielded: true,
      ...(writes === undefined ? {} : { writes }),
    }
    return openCall(broker.guard, sessionTools, caller, request, { signal })
  }

  async #callOurs(call: ToolToRun['call']): Promise<ToolOutcome> {
    const { broker, caller, sessionId: session, projectPath: project } = this.#options
    const from = { caller, session, project }
    const output = await broker.ownTools.call(from, call.name, call.arguments)
    return { status: 'succeeded', ...output }
  }

  /**
   * The run counts results, and may answer with an interrupt that the model must hear of. A result
   * that cannot be written down stands: the caller's next call is the sign that it was done.
   */
  async #tellRun(open: OpenCall, outcome: ToolOutcome): Promise<readonly string[]> {
    if (outcome.status === 'canceled') return open.notices
    const isGood = outcome.status === 'succeeded' && !outcome.isError
    const bytes = outcome.status === 'succeeded' ? Buffer.byteLength(outcome.output) : 0
    const output = outcome.status === 'succeeded' ? outcome.output : outcome.error
    const reported = await open.finish({ bytes, exit: isGood ? 'success' : 'failure', output })
    return reported.ok ? [...open.notices, ...reported.value] : open.notices
  }

  async #complete(runId: string, outcome: ToolOutcome, why?: string): Promise<void> {
    await this.#options.submit((_state, ids) => {
      const { status } = outcome
      const end = { type: 'tool_completed', runId, status, ids } as const
      if (outcome.status === 'failed') return { ...end, output: '', error: outcome.error }
      if (outcome.status === 'canceled') return { ...end, output: '' }
      const { output, isError, changedNothing } = outcome
      const untouched = changedNothing === true ? { changedNothing } : {}
      return { ...end, output, isError, ...untouched, ...(why === undefined ? {} : { error: why }) }
    })
  }

  #statusOf(runId: string): string | undefined {
    return this.#options.state().toolRuns.find((run) => run.runId === runId)?.status
  }

  #isOpen(runId: string): boolean {
    return this.#statusOf(runId) === 'queued'
  }
}

function withNotices(outcome: ToolOutcome, notices: readonly string[]): ToolOutcome {
  if (outcome.status !== 'succeeded' || notices.length === 0) return outcome
  return { ...outcome, output: [outcome.output, ...notices].join('\n\n') }
}

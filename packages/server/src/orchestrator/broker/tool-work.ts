import type { AgentEvent, AgentState, AgentStep, FreshIds, ToolToRun } from '@statewright/core'
import type { Caller } from '../../runtime/caller.ts'
import { finishCall } from '../../runtime/change-run.ts'
import type { ToolOutcome, ToolRunRequest } from '../ports.ts'
import { type Judged, judgeCall } from './judge.ts'
import type { BrokerParts } from './parts.ts'

export interface ToolWorkParts {
  readonly broker: BrokerParts
  readonly caller: Caller
  readonly sessionId: string
  readonly projectPath: string
  readonly answered: (runId: string, signal: AbortSignal) => Promise<void>
  readonly costTold: () => Promise<void>
  readonly submit: (
    make: (state: AgentState, ids: FreshIds) => AgentEvent,
  ) => Promise<AgentStep | null>
  readonly state: () => AgentState
}

/** Carries out the tools of one session: judged first, run once it is stored that they run. */
export class ToolWork {
  readonly #parts: ToolWorkParts
  readonly #running = new Map<string, AbortController>()

  constructor(parts: ToolWorkParts) {
    this.#parts = parts
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
      this.#parts.broker.observer.fault(this.#parts.sessionId, fault)
      const error = `crashed: ${fault instanceof Error ? fault.message : String(fault)}`
      await this.#complete(runId, { status: 'failed', error }).catch(() => {})
    } finally {
      this.#running.delete(runId)
    }
  }

  async #judgeAndRun({ runId, call }: ToolToRun, signal: AbortSignal): Promise<void> {
    const { broker, sessionId, projectPath } = this.#parts
    const isOurs = broker.ownTools.definitions.some(({ name }) => name === call.name)
    const judged = isOurs ? null : await this.#judge(runId, call, signal)
    if (signal.aborted) return
    if (judged !== null && !judged.isAllowed) {
      const { message, code = 'denied' } = judged
      await this.#complete(runId, { status: 'succeeded', output: message, isError: true }, code)
      return
    }
    const timeoutMs = broker.tools.timeoutMs(call.name, call.arguments)
    await this.#parts.submit(() => ({ type: 'tool_started', runId, timeoutMs }))
    // Only what is stored as running may run: after a crash nobody could tell otherwise.
    if (signal.aborted || this.#statusOf(runId) !== 'running') return
    broker.observer.toolRuns(sessionId, runId, call.name, call.arguments)
    const outcome = isOurs
      ? await this.#callOurs(call)
      : await broker.tools.run({
          sessionId,
          runId,
          callId: call.callId,
          name: call.name,
          arguments: call.arguments,
          projectPath,
          judgedBy: this.#judgedBy(judged),
          signal,
        })
    const notices = judged === null ? [] : await this.#tellRun(judged, outcome)
    await this.#complete(runId, withNotices(outcome, notices))
  }

  async #judge(runId: string, call: ToolToRun['call'], signal: AbortSignal): Promise<Judged> {
    const { broker, caller, sessionId, projectPath, answered, costTold } = this.#parts
    await costTold()
    const { runtime } = broker
    return judgeCall({ runtime, caller, sessionId, projectPath, signal, answered }, runId, call)
  }

  #judgedBy(judged: Judged | null): ToolRunRequest['judgedBy'] {
    const runId = judged?.runId ?? null
    return runId === null ? null : { runId, caller: this.#parts.caller }
  }

  async #callOurs(call: ToolToRun['call']): Promise<ToolOutcome> {
    const { broker, caller, sessionId: session, projectPath: project } = this.#parts
    const from = { caller, session, project }
    const said = await broker.ownTools.call(from, call.name, call.arguments)
    return { status: 'succeeded', ...said }
  }

  /** The run counts results, and may answer with an interrupt that the model must hear of. */
  async #tellRun(judged: Judged, outcome: ToolOutcome): Promise<readonly string[]> {
    const { broker, caller, sessionId } = this.#parts
    const { runId: run, callId, notices } = judged
    if (run === null || outcome.status === 'canceled') return notices
    const isGood = outcome.status === 'succeeded' && !outcome.isError
    const bytes = outcome.status === 'succeeded' ? Buffer.byteLength(outcome.output) : 0
    try {
      const told = await finishCall(broker.runtime, caller, {
        run,
        callId,
        bytes,
        exit: isGood ? 'success' : 'failure',
        source: 'observed',
      })
      if (!told.ok || told.value.answer.type !== 'recorded') return notices
      return [...notices, ...told.value.answer.notices]
    } catch (fault) {
      // The result stands; the run takes the caller's next call as the sign that it was done.
      broker.observer.fault(sessionId, fault)
      return notices
    }
  }

  async #complete(runId: string, outcome: ToolOutcome, why?: string): Promise<void> {
    await this.#parts.submit((_state, ids) => {
      const { status } = outcome
      const end = { type: 'tool_completed', runId, status, ids } as const
      if (outcome.status === 'failed') return { ...end, output: '', error: outcome.error }
      if (outcome.status === 'canceled') return { ...end, output: '' }
      const { output, isError } = outcome
      return { ...end, output, isError, ...(why === undefined ? {} : { error: why }) }
    })
  }

  #statusOf(runId: string): string | undefined {
    return this.#parts.state().toolRuns.find((run) => run.runId === runId)?.status
  }

  #isOpen(runId: string): boolean {
    return this.#statusOf(runId) === 'queued'
  }
}

function withNotices(outcome: ToolOutcome, notices: readonly string[]): ToolOutcome {
  if (outcome.status !== 'succeeded' || notices.length === 0) return outcome
  return { ...outcome, output: [outcome.output, ...notices].join('\n\n') }
}

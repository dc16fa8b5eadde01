import type {
  AgentAction,
  AgentEvent,
  AgentState,
  AgentStep,
  FreshIds,
} from '@statewright/core/internal'
import type { HookedRun, HookOutcome } from '../ports.ts'
import type { BrokerOptions } from './broker-options.ts'
import type { LiveOutputs } from './live-outputs.ts'

export interface HookWorkOptions {
  readonly broker: BrokerOptions
  readonly sessionId: string
  readonly projectPath: string
  readonly outputs: LiveOutputs
  readonly submit: (
    make: (state: AgentState, ids: FreshIds) => AgentEvent,
  ) => Promise<AgentStep | null>
  readonly state: () => AgentState
}

type Ask = Extract<AgentAction, { type: 'run_post_tool_hooks' }>

/** Carries out the post-tool hooks of one session, one at a time as the machine asks. */
export class HookWork {
  readonly #options: HookWorkOptions
  readonly #running = new Map<string, AbortController>()

  constructor(options: HookWorkOptions) {
    this.#options = options
  }

  cancel(runIds: readonly string[]): void {
    for (const runId of runIds) this.#running.get(runId)?.abort()
  }

  cancelAll(): void {
    this.cancel([...this.#running.keys()])
  }

  async run({ hookRunId: runId, hookName, toolRunIds }: Ask): Promise<void> {
    const { broker, sessionId, projectPath, outputs, submit, state } = this.#options
    const hook = state().settings?.hooks.find(({ name }) => name === hookName)
    if (hook === undefined || this.#running.has(runId)) return
    const abort = new AbortController()
    this.#running.set(runId, abort)
    let outcome: HookOutcome
    try {
      await submit(() => ({ type: 'hook_started', runId }))
      const run = state().hookRuns.find((one) => one.runId === runId)
      // Only what is stored as running may run: after a crash nobody could tell otherwise.
      if (abort.signal.aborted || run?.status !== 'running') return
      const toolRuns = hookedRuns(state(), toolRunIds)
      const signal = abort.signal
      const request = { sessionId, runId, hook, toolRuns, projectPath, signal }
      outcome = await outputs.during(runId, (onOutput) => {
        return broker.hookRunner.run({ ...request, onOutput })
      })
      broker.observer.hookOutput(sessionId, runId, outcome.output)
    } catch (fault) {
      broker.observer.fault(sessionId, fault)
      const why = fault instanceof Error ? fault.message : String(fault)
      const error = `Hook ${hookName} could not be run: ${why}`
      outcome = { status: 'failed', error, output: '' }
    } finally {
      this.#running.delete(runId)
    }
    const { output, ...end } = outcome
    const printed = output === '' ? {} : { output }
    await submit((_state, ids) => ({
      type: 'hook_completed',
      runId,
      ids,
      ...end,
      ...printed,
    })).catch((fault) => broker.observer.fault(sessionId, fault))
  }
}

/** The runs that a hook follows, each with the arguments of its call. */
function hookedRuns(state: AgentState, runIds: readonly string[]): HookedRun[] {
  return state.toolRuns
    .filter(({ runId }) => runIds.includes(runId))
    .map((run) => {
      const own = state.agentCalls.find(({ runId }) => runId === run.runId)?.call
      const call = own ?? state.pendingToolCalls.find(({ callId }) => callId === run.callId)
      return call === undefined ? run : { ...run, arguments: call.arguments }
    })
}

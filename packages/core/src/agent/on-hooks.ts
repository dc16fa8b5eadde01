import { cut } from '../base/cut.ts'
import { limits } from '../base/limits.ts'
import { agentError } from './errors.ts'
import type { AgentEvent, FreshIds } from './events.ts'
import { type HookConfig, wantsHook } from './hook-config.ts'
import { idAt } from './ids.ts'
import { hasRunEnded } from './kinds.ts'
import type { HookRunRecord, ToolRunRecord } from './records.ts'
import { answerBatch, callModel, giveUp, startQueued } from './request.ts'
import { hookRetryDelay, sessionTimeouts } from './retry.ts'
import type { AgentState } from './state.ts'
import {
  type AgentStep,
  beginStep,
  type Draft,
  dropLate,
  endStep,
  failWith,
  moveTo,
  refuse,
  setHookRun,
  tellError,
} from './step.ts'

type Completed = Extract<AgentEvent, { type: 'hook_completed' }>

/** Starts the hooks that this batch wants; says whether there are any. */
export function startPipeline(draft: Draft, runs: readonly ToolRunRecord[], ids: FreshIds) {
  const hooks = (draft.state.settings?.hooks ?? []).filter((hook) => wantsHook(hook, runs))
  if (hooks.length === 0) return false
  const toolRunIds = runs.map(({ runId }) => runId)
  const queued = hooks.map((hook, at) =>
    newRun(draft, hook.name, toolRunIds, idAt(ids.hookRunIds, at)),
  )
  moveTo(draft, 'post_tools_hook', 'tools_completed', {
    pipeline: queued.map(({ runId }) => runId),
    // The state is written with every step: what older ones printed stays in their events.
    hookRuns: draft.state.hookRuns.map(({ output: _, ...run }) => run),
  })
  for (const run of queued) setHookRun(draft, run)
  runNext(draft)
  return true
}

/** Runs a failed one again, as a new run of the same hook. */
export function retryHook(draft: Draft, failed: HookRunRecord, ids: FreshIds): void {
  const { pipeline } = draft.state
  const fresh = newRun(draft, failed.hookName, failed.toolRunIds, idAt(ids.hookRunIds, 0))
  const run = { ...fresh, attempt: failed.attempt + 1 }
  moveTo(draft, 'post_tools_hook', 'retry', {
    pipeline: pipeline.map((one) => (one === failed.runId ? run.runId : one)),
  })
  setHookRun(draft, run)
  runNext(draft)
}

export function onHookStarted(
  state: AgentState,
  event: Extract<AgentEvent, { type: 'hook_started' }>,
  now: number,
): AgentStep {
  const run = state.hookRuns.find(({ runId }) => runId === event.runId)
  if (run === undefined) return refuse(state, `There is no hook run ${cut(event.runId, 80)}.`, now)
  if (hasRunEnded(run.status)) return dropLate(state, 'hook start', run.runId)
  const next = pipelineRuns(state).find(({ status }) => !hasRunEnded(status))
  if (run.status === 'running' || next?.runId !== run.runId) {
    return refuse(state, `Hook run ${run.runId} cannot start yet: another one comes first.`, now)
  }
  const patience = hookOf(state, run)?.timeout_ms ?? sessionTimeouts.hookTimeoutMs
  const deadlineAtMs = now + patience + sessionTimeouts.graceMs
  const draft = beginStep(state, now)
  setHookRun(draft, { ...run, status: 'running', startedAtMs: now, deadlineAtMs })
  return endStep(draft)
}

export function onHookCompleted(state: AgentState, event: Completed, now: number): AgentStep {
  const run = state.hookRuns.find(({ runId }) => runId === event.runId)
  if (run === undefined) return refuse(state, `There is no hook run ${cut(event.runId, 80)}.`, now)
  if (hasRunEnded(run.status)) return dropLate(state, 'hook result', run.runId)
  const draft = beginStep(state, now)
  setHookRun(draft, { ...run, status: event.status, finishedAtMs: now, ...endFacts(event) })
  if (event.status === 'failed') {
    if (run.status === 'running') {
      draft.actions.push({ type: 'cancel_runs', toolRunIds: [], hookRunIds: [run.runId] })
    }
    if (failsSession(draft, run, event.error)) return endStep(draft)
  }
  if (!runNext(draft)) goOn(draft, event.ids)
  return endStep(draft)
}

/** The last hook has ended: the model is told of its batch, or the person where a tool gave up. */
function goOn(draft: Draft, ids: FreshIds): void {
  const { batch, toolRuns, pendingToolCalls } = draft.state
  if (pendingToolCalls.length === 0) {
    // They followed the calls of an agent, whose turn was over before.
    answerBatch(draft)
    moveTo(draft, 'ready', 'hooks_completed', { activeStreamId: null, lastError: null })
    startQueued(draft, ids)
    return
  }
  if (toolRuns.some(({ runId, status }) => status === 'failed' && batch.includes(runId))) {
    giveUp(draft)
    startQueued(draft, ids)
    return
  }
  answerBatch(draft)
  callModel(draft, ids, { reason: 'hooks_completed', attempt: 1 })
}

/** Applies the policy of a failed hook; says whether the session is in `error` now. */
function failsSession(draft: Draft, run: HookRunRecord, why: string | undefined): boolean {
  const hook = hookOf(draft.state, run)
  const message = why ?? `Hook ${run.hookName} ended without a result.`
  if (hook?.failure_policy.type === 'warn_continue') {
    const warning = `${message} The session continues, as the hook's policy says.`
    tellError(draft, agentError('hook_execution_failed', warning, false))
    return false
  }
  const delay = hook === undefined ? undefined : hookRetryDelay(hook, run)
  const next =
    delay === undefined
      ? 'Retry it, or send a message to continue without it.'
      : `It runs again in ${delay} ms.`
  failWith(draft, agentError('hook_execution_failed', `${message} ${next}`), {
    retryTarget: { kind: 'hook', runId: run.runId },
    wakeAt: delay === undefined ? null : draft.now + delay,
  })
  return true
}

function endFacts({ error, exitCode, output }: Completed): Partial<HookRunRecord> {
  return {
    ...(error === undefined ? {} : { error: cut(error, limits.messageLength) }),
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(output === undefined ? {} : { output: cut(output, limits.hookOutputLength) }),
  }
}

/** Asks for the first hook that has not ended; none is left when it says no. */
function runNext(draft: Draft): boolean {
  const next = pipelineRuns(draft.state).find(({ status }) => !hasRunEnded(status))
  if (next === undefined) return false
  const { runId: hookRunId, hookName, toolRunIds, attempt } = next
  draft.actions.push({ type: 'run_post_tool_hooks', hookRunId, hookName, toolRunIds, attempt })
  return true
}

export function pipelineRuns(state: AgentState): HookRunRecord[] {
  return state.pipeline.flatMap((id) => state.hookRuns.find(({ runId }) => runId === id) ?? [])
}

function hookOf(state: AgentState, run: HookRunRecord): HookConfig | undefined {
  return state.settings?.hooks.find(({ name }) => name === run.hookName)
}

function newRun(
  draft: Draft,
  hookName: string,
  toolRunIds: readonly string[],
  runId: string,
): HookRunRecord {
  const startedAtMs = draft.now
  return {
    runId,
    hookName,
    toolRunIds: [...toolRunIds],
    status: 'queued',
    startedAtMs,
    attempt: 1,
  }
}

import { cut } from '../base/cut.ts'
import { limits } from '../base/limits.ts'
import type { ToolToRun } from './actions.ts'
import { agentError } from './errors.ts'
import type { AgentEvent, FreshIds } from './events.ts'
import { idAt } from './ids.ts'
import { hasRunEnded } from './kinds.ts'
import { startPipeline } from './on-hooks.ts'
import type { AgentToolCall, ToolRunRecord } from './records.ts'
import { answerBatch, callModel, giveUp, startQueued } from './request.ts'
import { sessionTimeouts, toolRetryDelay } from './retry.ts'
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
  setToolRun,
} from './step.ts'
import { countBatch } from './turn-limits.ts'

type ToolStarted = Extract<AgentEvent, { type: 'tool_started' }>
type ToolCompleted = Extract<AgentEvent, { type: 'tool_completed' }>

/** Makes a run for each pending call, in their order, and asks for all of them. */
export function startBatch(draft: Draft, ids: FreshIds): void {
  const calls = draft.state.pendingToolCalls
  const runIds = calls.map((_, at) => idAt(ids.toolRunIds, at))
  moveTo(draft, 'executing_tools', 'tools_requested', {
    batch: runIds,
    results: [],
    pipeline: [],
  })
  const tools = calls.map((call, at) => queueRun(draft, call, idAt(runIds, at), 1))
  draft.actions.push({ type: 'execute_tools', tools })
}

/** Runs a failed one again, as a new run of the same call; the rest of the batch is kept. */
export function retryTool(draft: Draft, failed: ToolRunRecord, ids: FreshIds): void {
  const runId = idAt(ids.toolRunIds, 0)
  const { state } = draft
  const call = state.pendingToolCalls.find(({ callId }) => callId === failed.callId)
  if (call === undefined) return
  moveTo(draft, 'executing_tools', 'retry', {
    batch: state.batch.map((one) => (one === failed.runId ? runId : one)),
  })
  const tool = queueRun(draft, call, runId, failed.attempt + 1)
  draft.actions.push({ type: 'execute_tools', tools: [tool] })
}

export function onToolStarted(state: AgentState, event: ToolStarted, now: number): AgentStep {
  const run = state.toolRuns.find(({ runId }) => runId === event.runId)
  if (run === undefined) return refuse(state, `There is no tool run ${cut(event.runId, 80)}.`, now)
  if (hasRunEnded(run.status)) return dropLate(state, 'tool start', run.runId)
  if (run.status === 'running')
    return refuse(state, `Tool run ${run.runId} is already running.`, now)
  const draft = beginStep(state, now)
  setToolRun(draft, {
    ...run,
    status: 'running',
    startedAtMs: now,
    mutating: event.mutating ?? run.mutating,
    deadlineAtMs: now + event.timeoutMs + sessionTimeouts.graceMs,
  })
  return endStep(draft)
}

export function onToolCompleted(state: AgentState, event: ToolCompleted, now: number): AgentStep {
  const run = state.toolRuns.find(({ runId }) => runId === event.runId)
  if (run === undefined) return refuse(state, `There is no tool run ${cut(event.runId, 80)}.`, now)
  if (hasRunEnded(run.status)) return dropLate(state, 'tool result', run.runId)
  const draft = beginStep(state, now)
  const ended: ToolRunRecord = {
    ...run,
    status: event.status,
    finishedAtMs: now,
    ...(event.changedNothing === true ? { mutating: false } : {}),
    ...(event.error === undefined ? {} : { error: cut(event.error, limits.messageLength) }),
    ...(event.isError === true ? { isError: true } : {}),
  }
  setToolRun(draft, ended, event.output === '' ? undefined : event.output)
  if (event.status === 'succeeded') {
    const content = cut(event.output, limits.toolResultLength)
    const result = { callId: run.callId, content, isError: event.isError === true }
    draft.state = { ...draft.state, results: [...draft.state.results, result] }
  }
  // Anyone who gave up on it (a timer) must also end what may still be running.
  if (event.status === 'failed' && run.status === 'running') {
    draft.actions.push({ type: 'cancel_runs', toolRunIds: [run.runId], hookRunIds: [] })
  }
  settleBatch(draft, event.ids)
  return endStep(draft)
}

/** Goes on when the last run of the batch has ended; until then nothing moves. */
function settleBatch(draft: Draft, ids: FreshIds): void {
  const runs = batchRuns(draft.state)
  if (!runs.every(({ status }) => hasRunEnded(status))) return
  draft.state = countBatch(draft.state, runs)
  const failed = runs.find(({ status }) => status === 'failed')
  if (failed !== undefined) {
    failBatch(draft, failed, ids)
  } else if (!startPipeline(draft, runs, ids)) {
    answerBatch(draft)
    callModel(draft, ids, { reason: 'tools_completed', attempt: 1 })
  }
}

function failBatch(draft: Draft, failed: ToolRunRecord, ids: FreshIds): void {
  const delay = toolRetryDelay(failed)
  const why = failed.error ?? 'it ended without a result'
  const error = agentError('tool_execution_failed', `${failed.toolName}: ${why}`)
  failWith(draft, error, {
    retryTarget: { kind: 'tool', runId: failed.runId },
    wakeAt: delay === undefined ? null : draft.now + delay,
  })
  // One that changes things waits for a person in `error`: only they can tell whether to do it
  // again. Anything else has had its retries, and the model is told.
  if (delay !== undefined || failed.mutating) return
  // What the others have changed is changed, whatever became of this one.
  if (startPipeline(draft, batchRuns(draft.state), ids)) return
  giveUp(draft)
  startQueued(draft, ids)
}

export function batchRuns(state: AgentState): ToolRunRecord[] {
  return state.batch.flatMap((id) => state.toolRuns.find(({ runId }) => runId === id) ?? [])
}

function queueRun(draft: Draft, call: AgentToolCall, runId: string, attempt: number): ToolToRun {
  setToolRun(draft, {
    runId,
    callId: call.callId,
    toolName: call.name,
    mutating: call.mutating,
    status: 'queued',
    startedAtMs: draft.now,
    attempt,
  })
  return { runId, attempt, call }
}

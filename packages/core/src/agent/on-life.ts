import { unreachable } from '../base/invariant.ts'
import { agentError } from './errors.ts'
import type { AgentEvent } from './events.ts'
import { hasRunEnded } from './kinds.ts'
import { retryHook } from './on-hooks.ts'
import { startTurn } from './on-stream.ts'
import { batchRuns, retryTool } from './on-tools.ts'
import { answerBatch, callModel, giveUp, modelRetry } from './request.ts'
import { sessionTimeouts } from './retry.ts'
import type { AgentState } from './state.ts'
import {
  type AgentStep,
  beginStep,
  type Draft,
  endStep,
  failWith,
  moveTo,
  refuse,
  setHookRun,
  setToolRun,
  tellError,
} from './step.ts'

type Event<Type extends AgentEvent['type']> = Extract<AgentEvent, { type: Type }>

export function onSpawn(state: AgentState, event: Event<'spawn'>, now: number): AgentStep {
  const { settings } = event
  const draft = beginStep(state, now)
  for (const warning of event.warnings ?? []) tellError(draft, warning)
  moveTo(draft, 'starting', 'spawned', { settings })
  const { harness, projectPath } = settings
  draft.actions.push({ type: 'start_harness', harness, projectPath })
  return endStep(draft)
}

export function onHarnessReady(state: AgentState, now: number): AgentStep {
  const draft = beginStep(state, now)
  moveTo(draft, 'ready', 'ready')
  return endStep(draft)
}

/** In `error` a new input leads on: what was left open is answered as it stands. */
export function onInputAfterError(
  state: AgentState,
  event: Event<'user_input'>,
  now: number,
): AgentStep {
  const draft = beginStep(state, now)
  // Hooks behind the failed one were never run and never will be.
  cancelWork(draft)
  answerBatch(draft)
  startTurn(draft, event)
  return endStep(draft)
}

export function onRetry(state: AgentState, event: Event<'retry_timeout'>, now: number): AgentStep {
  const { target, by, ids } = event
  if (by === 'timer' && state.wakeAt === null) return refuse(state, 'No retry is due.', now)
  const draft = beginStep(state, now)
  switch (target.kind) {
    case 'llm':
      if (state.retryTarget?.kind !== 'llm') break
      callModel(draft, ids, { reason: 'retry', attempt: state.retries + 1 })
      return endStep(draft)
    case 'tool': {
      const run = batchRuns(state).find(({ runId }) => runId === target.runId)
      if (run?.status !== 'failed') break
      retryTool(draft, run, ids)
      return endStep(draft)
    }
    case 'hook': {
      const run = state.hookRuns.find(({ runId }) => runId === target.runId)
      if (run?.status !== 'failed' || !state.pipeline.includes(run.runId)) break
      retryHook(draft, run, ids)
      return endStep(draft)
    }
    default:
      return unreachable(target)
  }
  return refuse(state, `There is nothing of kind ${target.kind} to retry.`, now)
}

/** Stop wins everywhere: what runs is canceled first, then the harness is asked to leave. */
export function onStop(state: AgentState, event: Event<'stop_requested'>, now: number): AgentStep {
  const draft = beginStep(state, now)
  cancelWork(draft)
  moveTo(draft, 'stopping', 'stop_requested', {
    ...nothingOpen,
    stopReason: event.reason,
    wakeAt: now + sessionTimeouts.stopMs,
  })
  draft.actions.push({ type: 'stop_harness' })
  return endStep(draft)
}

export function onStopTimeout(state: AgentState, now: number): AgentStep {
  const draft = beginStep(state, now)
  draft.state = { ...state, wakeAt: null }
  draft.actions.push({ type: 'kill_harness' })
  return endStep(draft)
}

export function onHarnessExited(
  state: AgentState,
  event: Event<'harness_exited'>,
  now: number,
): AgentStep {
  const { code } = event
  const draft = beginStep(state, now)
  if (state.kind === 'stopping') {
    moveTo(draft, 'stopped', 'harness_exited', { exitCode: code })
  } else if (state.kind === 'starting') {
    // A harness that starts by a probe has ended well; any other end is a failed start.
    if (code === 0) moveTo(draft, 'ready', 'harness_exited')
    else failWith(draft, exitError(event), { retryTarget: null, wakeAt: null })
  } else if (state.kind === 'error') {
    draft.state = { ...state, exitCode: code }
  } else {
    exitAtWork(draft, event)
  }
  return endStep(draft)
}

/** The harness left in the middle: with 0 its work is done, otherwise the request is retried. */
function exitAtWork(draft: Draft, event: Event<'harness_exited'>): void {
  const wasAtWork = draft.state.kind !== 'ready'
  cancelWork(draft)
  if (event.code === 0) {
    moveTo(draft, 'stopped', 'harness_exited', { ...nothingOpen, exitCode: 0 })
    return
  }
  answerBatch(draft)
  draft.state = { ...draft.state, pendingToolCalls: [], buffer: '', exitCode: event.code }
  if (!wasAtWork || event.neverStarted) {
    const retryTarget = wasAtWork ? ({ kind: 'llm' } as const) : null
    failWith(draft, exitError(event), { retryTarget, wakeAt: null })
    return
  }
  const { isExhausted, ...retry } = modelRetry(draft)
  failWith(draft, exitError(event), retry)
  if (isExhausted) giveUp(draft)
}

const nothingOpen = {
  pendingToolCalls: [],
  batch: [],
  results: [],
  pipeline: [],
  buffer: '',
  activeStreamId: null,
} satisfies Partial<AgentState>

/** Ends every run that has not ended, and asks that whatever carries it out be killed. */
function cancelWork(draft: Draft): void {
  const { toolRuns, hookRuns, kind, activeStreamId } = draft.state
  if (kind === 'calling_llm' && activeStreamId !== null) {
    draft.actions.push({ type: 'cancel_request', streamId: activeStreamId })
    // Calls of an answer that never became whole were not run, and nobody waits for them.
    draft.state = { ...draft.state, pendingToolCalls: [] }
  }
  const tools = toolRuns.filter(({ status }) => !hasRunEnded(status))
  const hooks = hookRuns.filter(({ status }) => !hasRunEnded(status))
  const canceled = { status: 'canceled', finishedAtMs: draft.now } as const
  for (const run of tools) setToolRun(draft, { ...run, ...canceled })
  for (const run of hooks) setHookRun(draft, { ...run, ...canceled })
  if (tools.length + hooks.length === 0) return
  draft.actions.push({
    type: 'cancel_runs',
    toolRunIds: tools.map(({ runId }) => runId),
    hookRunIds: hooks.map(({ runId }) => runId),
  })
}

function exitError({ code, message, neverStarted }: Event<'harness_exited'>) {
  if (neverStarted && message !== undefined) return agentError('harness_failed', message)
  const how = code === null ? 'The harness was killed' : `The harness exited with ${code}`
  return agentError('harness_failed', message === undefined ? `${how}.` : `${how}: ${message}`)
}

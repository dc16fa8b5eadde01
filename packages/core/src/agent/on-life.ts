import { unreachable } from '../base/invariant.ts'
import { cancelWork, nothingOpen } from './cancel.ts'
import { agentError } from './errors.ts'
import type { AgentEvent } from './events.ts'
import { retryHook } from './on-hooks.ts'
import { batchRuns, retryTool } from './on-tools.ts'
import { answerBatch, callModel, giveUp, modelRetry, startQueued } from './request.ts'
import { sessionTimeouts } from './retry.ts'
import { type AgentState, newTurn } from './state.ts'
import {
  type AgentStep,
  beginStep,
  type Draft,
  endStep,
  failWith,
  moveTo,
  refuse,
  tellError,
} from './step.ts'

type Event<Type extends AgentEvent['type']> = Extract<AgentEvent, { type: Type }>

export function onSpawn(state: AgentState, event: Event<'spawn'>, now: number): AgentStep {
  const draft = beginStep(state, now)
  startHarness(draft, 'spawned', event)
  return endStep(draft)
}

/** A session that has stopped starts again, with its conversation and the hooks of today. */
export function onResume(
  state: AgentState,
  event: Event<'resume_requested'>,
  now: number,
): AgentStep {
  const draft = beginStep(state, now)
  startHarness(draft, 'resumed', event)
  return endStep(draft)
}

function startHarness(
  draft: Draft,
  reason: 'spawned' | 'resumed',
  { settings, warnings = [] }: Pick<Event<'spawn'>, 'settings' | 'warnings'>,
): void {
  for (const warning of warnings) tellError(draft, warning)
  moveTo(draft, 'starting', reason, { settings, stopReason: null, exitCode: null })
  const { harness, projectPath } = settings
  draft.actions.push({ type: 'start_harness', harness, projectPath })
}

export function onHarnessReady(
  state: AgentState,
  { ids }: Event<'harness_ready'>,
  now: number,
): AgentStep {
  const draft = beginStep(state, now)
  moveTo(draft, 'ready', 'ready')
  startQueued(draft, ids)
  return endStep(draft)
}

export function onRetry(state: AgentState, event: Event<'retry_timeout'>, now: number): AgentStep {
  const { target, by, ids } = event
  if (by === 'timer' && state.wakeAt === null) return refuse(state, 'No retry is due.', now)
  if (state.kind === 'ready' && target.kind !== 'llm') return refuse(state, nothingFailed, now)
  const draft = beginStep(state, now)
  switch (target.kind) {
    case 'llm': {
      if (state.retryTarget?.kind !== 'llm') break
      const attempt = by === 'timer' ? state.retries + 1 : 1
      // A person who lets it go on has seen how far it went: it may go as far again.
      if (by === 'person') draft.state = { ...state, turn: newTurn(now), fruitless: 0 }
      callModel(draft, ids, { reason: 'retry', attempt })
      return endStep(draft)
    }
    case 'harness': {
      if (state.retryTarget?.kind !== 'harness' || state.settings === null) break
      const { harness, projectPath } = state.settings
      moveTo(draft, 'starting', 'retry')
      draft.actions.push({ type: 'start_harness', harness, projectPath })
      return endStep(draft)
    }
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
  return refuse(state, nothingFailed, now)
}

const nothingFailed =
  'Nothing to retry: nothing failed, or the model already knows. Send a message to continue.'

/** Stop wins everywhere: what runs is canceled first, then the harness is asked to leave. */
export function onStop(state: AgentState, event: Event<'stop_requested'>, now: number): AgentStep {
  const draft = beginStep(state, now)
  cancelWork(draft)
  moveTo(draft, 'stopping', 'stop_requested', {
    ...nothingOpen,
    queue: [],
    stopReason: event.reason,
    wakeAt: now + sessionTimeouts.stopMs,
    shown: { detail: event.reason },
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
    moveTo(draft, 'stopped', 'harness_exited', { exitCode: code, shown: { exitCode: code } })
  } else if (state.kind === 'starting') {
    // A harness that starts by a probe has ended well; any other end is a failed start.
    if (code === 0) moveTo(draft, 'ready', 'harness_exited')
    else failWith(draft, exitError(event), { retryTarget: { kind: 'harness' }, wakeAt: null })
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
    moveTo(draft, 'stopped', 'harness_exited', {
      ...nothingOpen,
      queue: [],
      exitCode: 0,
      shown: { exitCode: 0 },
    })
    return
  }
  answerBatch(draft)
  draft.state = { ...draft.state, pendingToolCalls: [], buffer: '', exitCode: event.code }
  if (!wasAtWork || event.neverStarted) {
    const retryTarget = { kind: wasAtWork ? 'llm' : 'harness' } as const
    failWith(draft, exitError(event), { retryTarget, wakeAt: null })
    return
  }
  const { isExhausted, ...retry } = modelRetry(draft)
  failWith(draft, exitError(event), retry)
  if (isExhausted) giveUp(draft)
}

function exitError({ code, message, neverStarted }: Event<'harness_exited'>) {
  if (neverStarted && message !== undefined) return agentError('harness_failed', message)
  const how = code === null ? 'The agent was killed' : `The agent ended with exit code ${code}`
  const words = message?.trim() ?? ''
  return agentError('harness_failed', words === '' ? `${how}.` : `${how}: ${words}`)
}

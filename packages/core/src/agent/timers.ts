import { unreachable } from '../base/invariant.ts'
import type { AgentEvent, FreshIds } from './events.ts'
import { sessionTimeouts } from './retry.ts'
import type { AgentState } from './state.ts'

/** When a session next wants to be woken, whatever for; never when nothing is due. */
export function nextWake(state: AgentState): number | null {
  const times = [
    state.wakeAt,
    silenceEnd(state),
    ...running(state.toolRuns).map(({ deadlineAtMs }) => deadlineAtMs ?? null),
    ...running(state.hookRuns).map(({ deadlineAtMs }) => deadlineAtMs ?? null),
  ].filter((time) => time !== null)
  return times.length === 0 ? null : Math.min(...times)
}

/** The event that is due, if one is; the driver asks again after it was handled. */
export function dueEvent(
  state: AgentState,
  now: number,
  facts: { readonly ids: FreshIds; readonly eventId: string },
): AgentEvent | null {
  const { ids, eventId } = facts
  const isDue = ({ deadlineAtMs }: { deadlineAtMs?: number | undefined }) =>
    deadlineAtMs !== undefined && deadlineAtMs <= now
  const tool = running(state.toolRuns).find(isDue)
  if (tool !== undefined) {
    const error = 'timeout: the tool did not end in time'
    return { type: 'tool_completed', runId: tool.runId, status: 'failed', output: '', error, ids }
  }
  const hook = running(state.hookRuns).find(isDue)
  if (hook !== undefined) {
    const error = 'timeout: the hook did not end in time'
    return { type: 'hook_completed', runId: hook.runId, status: 'failed', error, ids }
  }
  const silence = silenceEnd(state)
  const isSilent = silence !== null && silence <= now
  if (!isSilent && (state.wakeAt === null || state.wakeAt > now)) return null
  switch (state.kind) {
    case 'calling_llm':
      return brokenStream(state, now, { ids, eventId, ...lateAnswer(state, isSilent) })
    case 'error':
      if (state.retryTarget === null) return null
      return { type: 'retry_timeout', target: state.retryTarget, by: 'timer', ids }
    case 'stopping':
      return { type: 'stop_timeout' }
    case 'idle':
    case 'starting':
    case 'ready':
    case 'processing_response':
    case 'executing_tools':
    case 'post_tools_hook':
    case 'stopped':
      return null
    default:
      return unreachable(state.kind)
  }
}

/** Until when a model may go on saying nothing. */
function silenceEnd({ kind, settings, heardAtMs }: AgentState): number | null {
  if (kind !== 'calling_llm') return null
  return heardAtMs + (settings?.llmTimeoutMs ?? sessionTimeouts.llmTimeoutMs)
}

function lateAnswer({ settings }: AgentState, isSilent: boolean) {
  const { llmTimeoutMs, llmTotalMs } = { ...sessionTimeouts, ...settings }
  const message = isSilent
    ? `The model said nothing for ${llmTimeoutMs / 1000} s.`
    : `The answer was cut off: one request may take ${llmTotalMs / 1000} s.`
  return { code: 'llm_timeout', message }
}

/** The end of a stream that its harness can no longer tell of. */
export function brokenStream(
  state: AgentState,
  now: number,
  facts: {
    readonly ids: FreshIds
    readonly eventId: string
    readonly code: string
    readonly message: string
  },
): AgentEvent {
  const { ids, eventId, code, message } = facts
  return {
    type: 'harness_stream',
    ids,
    streamEvent: {
      schemaVersion: '1.0',
      eventId,
      sessionId: state.sessionId,
      harness: state.settings?.harness ?? '',
      streamId: state.activeStreamId ?? '',
      // Behind everything that the stream itself can have sent.
      seq: Number.MAX_SAFE_INTEGER,
      timestampMs: now,
      type: 'error',
      payload: { code, message },
    },
  }
}

function running<Run extends { readonly status: string }>(runs: readonly Run[]): Run[] {
  return runs.filter(({ status }) => status === 'running')
}

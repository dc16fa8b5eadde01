import { type AgentStateEvent, hasRunEnded, ownToolNames } from '@statewright/core/internal'
import type { SessionObserver } from '../orchestrator/broker/broker-options.ts'
import { genAi, recordDuration, usageOf } from './gen-ai.ts'
import type { Log } from './logger.ts'
import type { SessionMetrics } from './session-metrics.ts'
import { TurnTraces } from './turn-traces.ts'

/** Tools that everybody has; any other name comes from a model and would swell the metrics. */
const countedTools: ReadonlySet<string> = new Set([
  'read_file',
  'list_files',
  'grep',
  'search',
  'edit_file',
  'write_file',
  'apply_patch',
  'bash',
  'run_command',
  'git_status',
  'git_diff',
  'git_commit',
  'git_checkout',
  'git_apply',
  ...ownToolNames,
])

/** Logs, metrics and traces of sessions, all made from what they tell (SE-16). */
export function sessionObserver(log: Log, metrics: SessionMetrics): SessionObserver {
  const traces = new TurnTraces()
  return {
    started({ sessionId, harness, projectPath, runId, by, command }) {
      const facts = { session_id: sessionId, harness, project: projectPath, run: runId, by }
      log.info({ ...facts, command }, 'a session was started')
    },
    onEvent(event) {
      traces.onEvent(event)
      count(metrics, event)
      record(log, event)
    },
    onUsage(sessionId, event) {
      traces.onUsage(sessionId, usageOf(event))
    },
    dropped(sessionId, what, id) {
      log.debug({ session_id: sessionId, what, id }, 'an event came too late and was dropped')
    },
    toolRuns(sessionId, runId, name, args) {
      const facts = { session_id: sessionId, run_id: runId, tool_name: name, arguments: args }
      // Arguments hold whatever the model wrote, secrets among it: for debugging only.
      log.debug(facts, 'a tool runs with these arguments')
    },
    hookOutput(sessionId, runId, output) {
      log.debug({ session_id: sessionId, run_id: runId, output }, 'output of a hook')
    },
    fault(sessionId, fault) {
      log.error({ err: fault, session_id: sessionId }, 'a session failed')
    },
  }
}

function count(metrics: SessionMetrics, event: AgentStateEvent): void {
  if (event.type === 'state_changed') {
    metrics.transitions.inc({ from: event.from, to: event.to })
  } else if (event.type === 'session_error') {
    metrics.errors.inc({ code: event.code })
  } else if (
    event.type !== 'input_queued' &&
    event.type !== 'compacted' &&
    hasRunEnded(event.status)
  ) {
    const took = durationOf(event)
    const { status } = event
    if (event.type === 'hook_lifecycle') {
      metrics.hookRuns.observe({ hook_name: event.hookName, status }, took)
    } else {
      const tool_name = countedTools.has(event.toolName) ? event.toolName : 'other'
      metrics.toolRuns.observe({ tool_name, status }, took)
      recordDuration('execute_tool', { [genAi.tool]: tool_name }, took)
    }
  }
}

function record(log: Log, event: AgentStateEvent): void {
  const session_id = event.sessionId
  if (event.type === 'state_changed') {
    const { from, to, reason, detail, streamId: stream_id, exitCode: exit_code } = event
    const facts = { session_id, from, to, reason, detail, exit_code, stream_id }
    log.info(facts, 'a session changed its state')
  } else if (event.type === 'session_error') {
    const { code: error_code, message, retryable, source } = event
    log.warn({ session_id, error_code, message, retryable, source }, 'a session reported an error')
  } else if (event.type === 'compacted') {
    const { how, tokensBefore: tokens_before, tokensAfter: tokens_after } = event
    log.info({ session_id, how, tokens_before, tokens_after }, 'a conversation was compacted')
  } else if (event.type === 'input_queued') {
    const { messageId: message_id, isWithdrawn: withdrawn } = event
    log.info({ session_id, message_id, withdrawn }, 'input of a person waits')
  } else {
    const { runId: run_id, status, attempt, error } = event
    const name =
      event.type === 'tool_lifecycle'
        ? { tool_name: event.toolName }
        : { hook_name: event.hookName }
    const duration = hasRunEnded(status) ? { duration_ms: durationOf(event) } : {}
    const facts = { session_id, run_id, ...name, status, attempt, ...duration, error }
    log.info(facts, event.type === 'tool_lifecycle' ? 'a tool run' : 'a hook run')
  }
}

function durationOf(run: { startedAtMs: number; finishedAtMs?: number | undefined }): number {
  return Math.max(0, (run.finishedAtMs ?? run.startedAtMs) - run.startedAtMs)
}

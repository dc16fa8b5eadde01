import { unreachable } from '../base/invariant.ts'
import type { AgentAction, ToolToRun } from './actions.ts'
import type { AgentEvent, FreshIds } from './events.ts'
import { pipelineRuns } from './on-hooks.ts'
import { batchRuns } from './on-tools.ts'
import type { AgentState } from './state.ts'
import { brokenStream } from './timers.ts'

export interface Recovery {
  /** The next thing to tell the machine; ask again with the state that follows. */
  readonly event: AgentEvent | null
  /** I/O that was asked for and never begun: it can be done now, as if for the first time. */
  readonly actions: readonly AgentAction[]
}

const interrupted = 'interrupted: the server stopped while it ran'

/**
 * What a session needs after its server died (SE-9). What may have begun is told as failed and
 * never begun again by itself here; only the machine's own retry rules do that, and they tell it.
 */
export function recovery(
  state: AgentState,
  now: number,
  facts: { readonly ids: FreshIds; readonly eventId: string },
): Recovery {
  const { ids } = facts
  const tool = state.toolRuns.find(({ status }) => status === 'running')
  // Those of an agent end with its stream.
  if (tool !== undefined && state.kind !== 'calling_llm') {
    const { runId } = tool
    return only({
      type: 'tool_completed',
      runId,
      status: 'failed',
      output: '',
      error: interrupted,
      ids,
    })
  }
  const hook = state.hookRuns.find(({ status }) => status === 'running')
  if (hook !== undefined) {
    const { runId } = hook
    return only({ type: 'hook_completed', runId, status: 'failed', error: interrupted, ids })
  }
  switch (state.kind) {
    case 'calling_llm':
      return only(
        brokenStream(state, now, {
          ...facts,
          code: 'interrupted',
          message: 'The server stopped during the request.',
        }),
      )
    case 'executing_tools':
      return { event: null, actions: [{ type: 'execute_tools', tools: queuedTools(state) }] }
    case 'post_tools_hook':
      return { event: null, actions: queuedHook(state) }
    case 'starting': {
      const { harness = '', projectPath = '' } = state.settings ?? {}
      return { event: null, actions: [{ type: 'start_harness', harness, projectPath }] }
    }
    case 'stopping':
      // The harness was our child and is gone with us.
      return only({ type: 'harness_exited', code: null })
    case 'idle':
      return only({ type: 'stop_requested', reason: 'interrupted before it was started' })
    case 'ready':
    case 'processing_response':
    case 'error':
    case 'stopped':
      return { event: null, actions: [] }
    default:
      return unreachable(state.kind)
  }
}

function only(event: AgentEvent): Recovery {
  return { event, actions: [] }
}

function queuedTools(state: AgentState): ToolToRun[] {
  return batchRuns(state).flatMap(({ runId, attempt, callId, status }) => {
    const call = state.pendingToolCalls.find((one) => one.callId === callId)
    return status === 'queued' && call !== undefined ? [{ runId, attempt, call }] : []
  })
}

function queuedHook(state: AgentState): AgentAction[] {
  const next = pipelineRuns(state).find(({ status }) => status === 'queued')
  if (next === undefined) return []
  const { runId: hookRunId, hookName, toolRunIds, attempt } = next
  return [{ type: 'run_post_tool_hooks', hookRunId, hookName, toolRunIds, attempt }]
}

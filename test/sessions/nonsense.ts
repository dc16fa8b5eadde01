import type { AgentEvent, FreshIds } from '@statewright/core/internal'

/** Events of which nobody knows what they mean where they come. */
export function nonsense(ids: FreshIds): AgentEvent[] {
  const call = { callId: 'call_none', name: 'Edit', arguments: {}, mutating: true }
  return [
    { type: 'harness_ready', ids },
    { type: 'stop_timeout' },
    { type: 'compact_requested', ids },
    { type: 'tool_started', runId: 'toolrun_none', timeoutMs: 1 },
    { type: 'tool_completed', runId: 'toolrun_none', status: 'failed', output: '', ids },
    { type: 'hook_completed', runId: 'hookrun_none', status: 'succeeded', ids },
    { type: 'retry_timeout', target: { kind: 'llm' }, by: 'timer', ids },
    { type: 'retry_timeout', target: { kind: 'tool', runId: 'x' }, by: 'person', ids },
    { type: 'agent_tool', streamId: 'turn_old', call, status: 'running', ids },
  ]
}

/** What a session does at the moment. The words are those of the wire. */
export const agentStateKinds = [
  'idle',
  'starting',
  'ready',
  'calling_llm',
  'processing_response',
  'executing_tools',
  'post_tools_hook',
  'error',
  'stopping',
  'stopped',
] as const
export type AgentStateKind = (typeof agentStateKinds)[number]

/** How far a tool run or a hook run is; the last three are ends. */
export const agentRunStatuses = ['queued', 'running', 'succeeded', 'failed', 'canceled'] as const
export type AgentRunStatus = (typeof agentRunStatuses)[number]

export const errorSources = ['harness', 'tool', 'hook', 'orchestrator'] as const
export type ErrorSource = (typeof errorSources)[number]

/** Why a session changed its state: each change is told with one of these. */
export const changeReasons = [
  'user_input',
  'stream_completed',
  'tools_requested',
  'tools_completed',
  'hooks_completed',
  'stop_requested',
  'harness_exited',
  'spawned',
  'ready',
  'error',
  'retry',
  'retries_exhausted',
  'interrupted',
  'limit_reached',
  'resumed',
  'compaction',
] as const
export type ChangeReason = (typeof changeReasons)[number]

export const streamEventTypes = [
  'text_delta',
  'thinking_delta',
  'tool_call_delta',
  'tool_call_completed',
  'completed',
  'error',
  'status',
  'metadata',
  'artifact_delta',
] as const
export type StreamEventType = (typeof streamEventTypes)[number]

export function hasRunEnded(status: AgentRunStatus): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'canceled'
}

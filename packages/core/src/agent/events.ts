import type { AgentRunStatus } from './kinds.ts'
import type { AgentError, AgentToolCall, RetryTarget } from './records.ts'
import type { AgentSettings } from './state.ts'
import type { StreamEvent } from './stream-event.ts'

/** Ids that a step may need. They come with the event, since the machine makes none. */
export interface FreshIds {
  readonly streamId: string
  readonly requestId: string
  readonly toolRunIds: readonly string[]
  readonly hookRunIds: readonly string[]
}

export type AgentEndStatus = Extract<AgentRunStatus, 'succeeded' | 'failed' | 'canceled'>

/** Everything that can happen to a session. `sessionId` is that of the queue it stands in. */
export type AgentEvent =
  | {
      readonly type: 'spawn'
      readonly settings: AgentSettings
      /** What is wrong with the set-up and does not keep the session from working. */
      readonly warnings?: readonly AgentError[]
    }
  | { readonly type: 'harness_ready'; readonly ids: FreshIds }
  | {
      readonly type: 'user_input'
      readonly text: string
      readonly messageId: string
      /** While it is at work: wait for the end of the turn, or end it now. */
      readonly when?: 'queue' | 'interrupt'
      readonly ids: FreshIds
    }
  /** A person takes back what they said and was not begun. */
  | { readonly type: 'input_withdrawn'; readonly messageId: string }
  /** The turn ends here; the session stays. */
  | { readonly type: 'interrupt_requested' }
  /** Sum up the conversation now, though it would still fit. */
  | { readonly type: 'compact_requested'; readonly ids: FreshIds }
  /** For the requests to come; nothing goes back to what the session was started with. */
  | {
      readonly type: 'model_chosen'
      readonly model: string | null
      /** Tokens that it takes, where the conversation is ours. */
      readonly contextTokens?: number
    }
  /** How much the model takes that the request under way goes to: a state may name another one. */
  | { readonly type: 'window_known'; readonly contextTokens: number; readonly ids: FreshIds }
  /** A session that has stopped begins again where it was. */
  | {
      readonly type: 'resume_requested'
      readonly settings: AgentSettings
      readonly warnings?: readonly AgentError[]
    }
  | {
      readonly type: 'harness_stream'
      readonly streamEvent: StreamEvent
      readonly ids: FreshIds
    }
  | { readonly type: 'tool_requested'; readonly streamId: string; readonly call: AgentToolCall }
  /** An agent uses a tool of its own: it waits for leave, runs, or has been carried out. */
  | {
      readonly type: 'agent_tool'
      readonly streamId: string
      readonly call: AgentToolCall
      readonly status: 'queued' | 'running'
      readonly ids: FreshIds
    }
  | {
      readonly type: 'agent_tool'
      readonly streamId: string
      readonly call: AgentToolCall
      readonly status: 'succeeded'
      readonly isError?: boolean
      readonly error?: string
      /** As far as the agent says. */
      readonly output?: string
      /** It was not let through. */
      readonly changedNothing?: true
      readonly ids: FreshIds
    }
  | {
      readonly type: 'tool_started'
      readonly runId: string
      readonly timeoutMs: number
      /** What the runner found out about a call that looked as if it changed something. */
      readonly mutating?: boolean
    }
  | {
      readonly type: 'tool_completed'
      readonly runId: string
      readonly status: AgentEndStatus
      /** What the model will read; for a failed run, what it is told if nobody retries. */
      readonly output: string
      readonly isError?: boolean
      readonly error?: string
      /** It was refused before it began: no hook follows a call that changed nothing. */
      readonly changedNothing?: true
      readonly ids: FreshIds
    }
  | { readonly type: 'hook_started'; readonly runId: string }
  | {
      readonly type: 'hook_completed'
      readonly runId: string
      readonly status: AgentEndStatus
      readonly error?: string
      readonly exitCode?: number
      readonly output?: string
      readonly ids: FreshIds
    }
  | {
      readonly type: 'retry_timeout'
      readonly target: RetryTarget
      /** A person or client may retry what the machine never would by itself. */
      readonly by: 'timer' | 'person'
      readonly ids: FreshIds
    }
  | { readonly type: 'stop_requested'; readonly reason: string }
  /** A harness was asked to stop and its patience is over. */
  | { readonly type: 'stop_timeout' }
  | {
      readonly type: 'harness_exited'
      readonly code: number | null
      readonly message?: string
      /** It could not be started, and trying again by itself would not help (SE-2a). */
      readonly neverStarted?: true
    }

export type AgentEventType = AgentEvent['type']

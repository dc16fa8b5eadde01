import type { AgentMessage } from './conversation.ts'
import type { AgentToolCall } from './records.ts'
import type { AgentStateEventBody } from './state-event.ts'
import type { StreamEvent } from './stream-event.ts'

export interface ToolToRun {
  readonly runId: string
  readonly attempt: number
  readonly call: AgentToolCall
}

/**
 * I/O that a step asks for. What comes of it returns as an event; an action by itself changes
 * nothing.
 */
export type AgentAction =
  | { readonly type: 'start_harness'; readonly harness: string; readonly projectPath: string }
  /** With the whole conversation and the definitions of all tools. */
  | {
      readonly type: 'send_to_harness'
      readonly streamId: string
      readonly requestId: string
      readonly attempt: number
      /** Not the conversation is sent, but a request for its summary, at most so long. */
      readonly summaryLength?: number
    }
  | { readonly type: 'cancel_request'; readonly streamId: string }
  | { readonly type: 'execute_tools'; readonly tools: readonly ToolToRun[] }
  /** One at a time; the next follows when this one has ended. */
  | {
      readonly type: 'run_post_tool_hooks'
      readonly hookRunId: string
      readonly hookName: string
      readonly toolRunIds: readonly string[]
      readonly attempt: number
    }
  | {
      readonly type: 'cancel_runs'
      readonly toolRunIds: readonly string[]
      readonly hookRunIds: readonly string[]
    }
  | { readonly type: 'stop_harness' }
  | { readonly type: 'kill_harness' }
  | { readonly type: 'append_messages'; readonly messages: readonly AgentMessage[] }
  /** To be stored with the step and then sent; the order of these is the order of the wire. */
  | { readonly type: 'emit_state_event'; readonly event: AgentStateEventBody }
  | { readonly type: 'emit_stream_event'; readonly event: StreamEvent }
  /** A result or piece of a stream came after its end: dropped, and logged (SE-8). */
  | { readonly type: 'drop_late'; readonly what: string; readonly id: string }
  /** Nothing more to do before the time. */
  | { readonly type: 'wait'; readonly wakeAt: number }

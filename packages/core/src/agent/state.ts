import { unreachable } from '../base/invariant.ts'
import type { HookConfig } from './hook-config.ts'
import type { AgentStateKind } from './kinds.ts'
import type {
  AgentError,
  AgentToolCall,
  HookRunRecord,
  RetryTarget,
  ToolResult,
  ToolRunRecord,
} from './records.ts'

/** What stays the same for the life of a session. */
export interface AgentSettings {
  readonly harness: string
  readonly projectPath: string
  readonly hooks: readonly HookConfig[]
  /** Guardrail of one model request; harnesses that run tools of their own need more. */
  readonly llmTimeoutMs: number
}

/** Everything the machine knows. It is stored after each event, apart from the text of a stream. */
export interface AgentState {
  readonly sessionId: string
  readonly kind: AgentStateKind
  readonly settings: AgentSettings | null
  readonly activeStreamId: string | null
  readonly requestId: string | null
  /** Attempts of the request at hand: 1 for the first. */
  readonly retries: number
  readonly lastUserMessageId: string | null
  /** Text of the active stream so far. */
  readonly buffer: string
  readonly pendingToolCalls: readonly AgentToolCall[]
  /** The newest run of each pending call, in the order of the calls. */
  readonly batch: readonly string[]
  readonly results: readonly ToolResult[]
  readonly toolRuns: readonly ToolRunRecord[]
  /** The runs of the pipeline at hand, in the order in which they run. */
  readonly pipeline: readonly string[]
  readonly hookRuns: readonly HookRunRecord[]
  readonly lastError: AgentError | null
  /** In `error`: what a retry would do again; nothing when only a new input leads on. */
  readonly retryTarget: RetryTarget | null
  /** When this state wants to be woken: a retry, the end of patience with a model or harness. */
  readonly wakeAt: number | null
  readonly stopReason: string | null
  readonly exitCode: number | null
}

export function initialAgentState(sessionId: string): AgentState {
  return {
    sessionId,
    kind: 'idle',
    settings: null,
    activeStreamId: null,
    requestId: null,
    retries: 0,
    lastUserMessageId: null,
    buffer: '',
    pendingToolCalls: [],
    batch: [],
    results: [],
    toolRuns: [],
    pipeline: [],
    hookRuns: [],
    lastError: null,
    retryTarget: null,
    wakeAt: null,
    stopReason: null,
    exitCode: null,
  }
}

/** What is particular to the state at hand. */
export type AgentStatePayload =
  | { readonly kind: 'idle' }
  | { readonly kind: 'starting'; readonly harness: string; readonly projectPath: string }
  | { readonly kind: 'ready'; readonly lastUserMessageId: string | null }
  | {
      readonly kind: 'calling_llm'
      readonly streamId: string
      readonly requestId: string
      readonly attempt: number
    }
  | { readonly kind: 'processing_response'; readonly streamId: string }
  | { readonly kind: 'executing_tools'; readonly toolRunIds: readonly string[] }
  | { readonly kind: 'post_tools_hook'; readonly hookRunIds: readonly string[] }
  | { readonly kind: 'error'; readonly error: AgentError | null; readonly wakeAt: number | null }
  | { readonly kind: 'stopping'; readonly reason: string }
  | { readonly kind: 'stopped'; readonly exitCode: number | null }

export function payloadOf(state: AgentState): AgentStatePayload {
  const { kind } = state
  switch (kind) {
    case 'idle':
      return { kind }
    case 'starting':
      return {
        kind,
        harness: state.settings?.harness ?? '',
        projectPath: state.settings?.projectPath ?? '',
      }
    case 'ready':
      return { kind, lastUserMessageId: state.lastUserMessageId }
    case 'calling_llm':
      return {
        kind,
        streamId: state.activeStreamId ?? '',
        requestId: state.requestId ?? '',
        attempt: state.retries,
      }
    case 'processing_response':
      return { kind, streamId: state.activeStreamId ?? '' }
    case 'executing_tools':
      return { kind, toolRunIds: state.batch }
    case 'post_tools_hook':
      return { kind, hookRunIds: state.pipeline }
    case 'error':
      return { kind, error: state.lastError, wakeAt: state.wakeAt }
    case 'stopping':
      return { kind, reason: state.stopReason ?? '' }
    case 'stopped':
      return { kind, exitCode: state.exitCode }
    default:
      return unreachable(kind)
  }
}

/** The summary of a session that lists and an attaching client get. */
export interface AgentStateSnapshot {
  readonly kind: AgentStateKind
  readonly activeStreamId: string | null
  readonly pendingToolCalls: readonly AgentToolCall[]
  readonly toolRuns: readonly ToolRunRecord[]
  readonly hookRuns: readonly HookRunRecord[]
  readonly lastError: AgentError | null
}

export function agentSnapshot(state: AgentState): AgentStateSnapshot {
  const { kind, activeStreamId, pendingToolCalls, toolRuns, hookRuns, lastError } = state
  return { kind, activeStreamId, pendingToolCalls, toolRuns, hookRuns, lastError }
}

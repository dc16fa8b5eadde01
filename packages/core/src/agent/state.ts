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

/** The summary of a session that lists and an attaching client get. */
export interface AgentStateSnapshot {
  readonly kind: AgentStateKind
  readonly activeStreamId: string | null
  readonly pendingToolCalls: readonly AgentToolCall[]
  /** What the calls of the batch at hand gave back, before the model was told. */
  readonly results: readonly ToolResult[]
  readonly toolRuns: readonly ToolRunRecord[]
  readonly hookRuns: readonly HookRunRecord[]
  readonly lastError: AgentError | null
}

export function agentSnapshot(state: AgentState): AgentStateSnapshot {
  const { kind, activeStreamId, pendingToolCalls, results, toolRuns, hookRuns, lastError } = state
  return { kind, activeStreamId, pendingToolCalls, results, toolRuns, hookRuns, lastError }
}

import { type ContextSize, emptyContext } from './context-size.ts'
import type { HookConfig } from './hook-config.ts'
import type { AgentStateKind } from './kinds.ts'
import type {
  AgentError,
  AgentToolCall,
  ContextUse,
  HookRunRecord,
  QueuedInput,
  RetryTarget,
  SessionLimits,
  ToolResult,
  ToolRunRecord,
  TurnUsage,
} from './records.ts'

/** What stays the same for the life of a session. */
export interface AgentSettings {
  readonly harness: string
  readonly projectPath: string
  readonly hooks: readonly HookConfig[]
  /** How long a model may say nothing; harnesses that run tools of their own need more. */
  readonly llmTimeoutMs: number
  /** How long one answer may take as a whole. */
  readonly llmTotalMs?: number
  readonly maxTurns?: number
  /** Requests to the model in one turn. */
  readonly maxRequests?: number
  /** What all requests of the session together may cost. */
  readonly maxCostUsd?: number
  /** Tokens that its model takes; left out for agents that keep the conversation themselves. */
  readonly contextTokens?: number
  /** What the starter of the session said of its limits; the rest is the configuration's. */
  readonly limits?: SessionLimits
  /** How long tools may take, by name, where a person has said so. */
  readonly toolTimeoutsMs?: Readonly<Record<string, number>>
}

interface PendingCompaction {
  readonly next: 'request' | 'rest'
  /** How often its request was too long itself. */
  readonly halvings: number
  /** The model may be asked again afterwards, since it had given up before. */
  readonly canRetry: boolean
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
  /** What was said meanwhile, in order; one begins when a turn has ended well. */
  readonly queue: readonly QueuedInput[]
  /** Turns that were begun. */
  readonly turns: number
  readonly turn: TurnUsage
  /** Batches in a row of which no call worked. */
  readonly fruitless: number
  readonly spentUsd: number
  /** Requests whose price nobody knows: they are not in what was spent. */
  readonly unpriced: number
  readonly context: ContextSize
  /** The request under way asks for a summary; then comes the request that waited, or rest. */
  readonly compaction: PendingCompaction | null
  /** What a person chose for the next requests. */
  readonly chosenModel: string | null
  /** When the model was last heard in this request; not stored, like the text. */
  readonly heardAtMs: number
  /** Text of the active stream so far. */
  readonly buffer: string
  readonly pendingToolCalls: readonly AgentToolCall[]
  /** The newest run of each pending call, in the order of the calls. */
  readonly batch: readonly string[]
  readonly results: readonly ToolResult[]
  /** Of an agent with tools of its own: calls that are open or that no hook has followed yet. */
  readonly agentCalls: readonly AgentCall[]
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

/** A call that an agent makes by itself, with the run under which it is told. */
export interface AgentCall {
  readonly runId: string
  readonly call: AgentToolCall
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
    queue: [],
    turns: 0,
    turn: newTurn(0),
    fruitless: 0,
    spentUsd: 0,
    unpriced: 0,
    context: emptyContext,
    compaction: null,
    chosenModel: null,
    heardAtMs: 0,
    buffer: '',
    pendingToolCalls: [],
    batch: [],
    results: [],
    agentCalls: [],
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

export function newTurn(now: number): TurnUsage {
  return { startedAtMs: now, requests: 0, costUsd: 0, inputTokens: 0, outputTokens: 0 }
}

/** A state that an older version stored, with what has been added since. */
export function readAgentState(stored: AgentState): AgentState {
  return { ...initialAgentState(stored.sessionId), ...stored }
}

/** The summary of a session that lists and an attaching client get. */
export type AgentStateSnapshot = ReturnType<typeof agentSnapshot>

export function agentSnapshot(state: AgentState) {
  const {
    kind,
    activeStreamId,
    pendingToolCalls,
    results,
    toolRuns,
    hookRuns,
    lastError,
    queue,
    turns,
    turn,
    chosenModel,
    stopReason,
    exitCode,
  } = state
  return {
    kind,
    activeStreamId,
    pendingToolCalls,
    results,
    toolRuns,
    hookRuns,
    lastError,
    queue,
    turns,
    turn,
    chosenModel,
    stopReason,
    exitCode,
    context: shownContext(state),
  }
}

/** How full the window of the model is; agents that keep the conversation know it themselves. */
export function shownContext({ context, settings }: AgentState): ContextUse | null {
  const windowTokens = settings?.contextTokens
  return windowTokens === undefined ? null : { tokens: context.tokens, windowTokens }
}

import { z } from 'zod'
import type { Json } from '../base/json.ts'
import { agentRunStatuses, errorSources } from './kinds.ts'

/** Any JSON, read-only as all values here. */
export const AnyJson: z.ZodType<Json> = z.json()

/** A call of a tool as a model made it. */
export const AgentToolCall = z.object({
  callId: z.string(),
  name: z.string(),
  /** The arguments as the harness read them; a text that is no JSON stays a text. */
  arguments: AnyJson,
  mutating: z.boolean(),
})
export type AgentToolCall = z.infer<typeof AgentToolCall>

/** One attempt to carry out a tool call. A retry is a new run with the next attempt. */
export const ToolRunRecord = z.object({
  runId: z.string(),
  callId: z.string(),
  toolName: z.string(),
  mutating: z.boolean(),
  status: z.enum(agentRunStatuses),
  startedAtMs: z.number(),
  finishedAtMs: z.number().optional(),
  attempt: z.number(),
  error: z.string().optional(),
  /** It was carried out and its result is an error: news for the model, not a broken session. */
  isError: z.boolean().optional(),
  /** A running one that has not ended by then counts as hung. */
  deadlineAtMs: z.number().optional(),
})
export type ToolRunRecord = z.infer<typeof ToolRunRecord>

export const HookRunRecord = z.object({
  runId: z.string(),
  hookName: z.string(),
  toolRunIds: z.array(z.string()),
  status: z.enum(agentRunStatuses),
  startedAtMs: z.number(),
  finishedAtMs: z.number().optional(),
  attempt: z.number(),
  error: z.string().optional(),
  exitCode: z.number().optional(),
  /** What it printed, bounded and without secrets; for people, never for the model. */
  output: z.string().optional(),
  deadlineAtMs: z.number().optional(),
})
export type HookRunRecord = z.infer<typeof HookRunRecord>

export const AgentError = z.object({
  code: z.string(),
  message: z.string(),
  retryable: z.boolean(),
  source: z.enum(errorSources),
})
export type AgentError = z.infer<typeof AgentError>

/** What a tool gave back, as the model will read it. */
export const ToolResult = z.object({
  callId: z.string(),
  content: z.string(),
  isError: z.boolean(),
})
export type ToolResult = z.infer<typeof ToolResult>

/** What a person said while the session was at work; it begins a turn of its own. */
export const QueuedInput = z.object({ messageId: z.string(), text: z.string() })
export type QueuedInput = z.infer<typeof QueuedInput>

/** What the turn at hand, or the last one, has taken so far. */
export const TurnUsage = z.object({
  startedAtMs: z.number(),
  /** Requests to the model, retries among them. */
  requests: z.number(),
  costUsd: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
})
export type TurnUsage = z.infer<typeof TurnUsage>

/** What is to be done again; `harness` is started again. */
export type RetryTarget =
  | { readonly kind: 'llm' }
  | { readonly kind: 'harness' }
  | { readonly kind: 'tool'; readonly runId: string }
  | { readonly kind: 'hook'; readonly runId: string }

const ms = z.int().min(1000).max(86_400_000)

/** How a conversation was made smaller: old results cut short, a summary, or without one. */
export const CompactionMethod = z.enum(['shortened', 'summary', 'cut'])
export type CompactionMethod = z.infer<typeof CompactionMethod>

/** How full the window of a model is, about. */
export const ContextUse = z.object({ tokens: z.number(), windowTokens: z.number() })
export type ContextUse = z.infer<typeof ContextUse>

/** How far a session goes by itself; from the configuration, or from whoever starts one (SE-5a). */
export const SessionLimits = z.strictObject({
  max_turns: z
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .describe('Maximum number of turns in one session (default 1000).'),
  max_requests: z
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .describe('Maximum number of requests to the model in one turn (default 200).'),
  max_cost_usd: z
    .number()
    .min(0)
    .max(1_000_000)
    .optional()
    .describe('Maximum cost of all requests of one session; no limit when left out.'),
  llm_silence_ms: ms.optional().describe('How long a model may send nothing (default 120000).'),
  llm_total_ms: ms.optional().describe('How long one whole answer may take (default 1800000).'),
  context_tokens: z
    .int()
    .min(1000)
    .max(100_000_000)
    .optional()
    .describe('Context window of the model in tokens; derived from its name when left out.'),
  tool_timeouts_ms: z
    .record(z.string().min(1).max(200), ms)
    .optional()
    .describe('How long a tool may take, by tool name (default 300000).'),
})
export type SessionLimits = z.infer<typeof SessionLimits>

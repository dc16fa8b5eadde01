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

/** What is to be done again. */
export type RetryTarget =
  | { readonly kind: 'llm' }
  | { readonly kind: 'tool'; readonly runId: string }
  | { readonly kind: 'hook'; readonly runId: string }

import { z } from 'zod'
import { agentStateKinds, changeReasons } from './kinds.ts'
import {
  AgentError,
  CompactionMethod,
  ContextUse,
  HookRunRecord,
  ToolRunRecord,
  TurnUsage,
} from './records.ts'

const envelope = { sessionId: z.string(), timestampMs: z.number() }

const StateChanged = z.object({
  ...envelope,
  type: z.literal('state_changed'),
  from: z.enum(agentStateKinds),
  to: z.enum(agentStateKinds),
  reason: z.enum(changeReasons),
  streamId: z.string().optional(),
  /** What was said, where a person's input is the reason, and under which id it was queued. */
  input: z.string().optional(),
  messageId: z.string().optional(),
  /** What a person gave as the reason of a stop. */
  detail: z.string().optional(),
  exitCode: z.number().nullable().optional(),
  /** Where a turn ended: what it took. */
  turn: TurnUsage.optional(),
  /** Where a turn ended: how full the window of its model is. */
  context: ContextUse.optional(),
})

const ToolLifecycle = ToolRunRecord.omit({ deadlineAtMs: true }).extend({
  ...envelope,
  type: z.literal('tool_lifecycle'),
  /** The beginning of its result, where it has one. */
  output: z.string().optional(),
})

const HookLifecycle = HookRunRecord.omit({ deadlineAtMs: true }).extend({
  ...envelope,
  type: z.literal('hook_lifecycle'),
})

/** Input that waits for the end of the turn, and what became of it if it was taken back. */
const InputQueued = z.object({
  ...envelope,
  type: z.literal('input_queued'),
  messageId: z.string(),
  text: z.string(),
  isWithdrawn: z.boolean().optional(),
})

/** The model reads less from here on (SE-20). */
const Compacted = z.object({
  ...envelope,
  type: z.literal('compacted'),
  how: CompactionMethod,
  tokensBefore: z.number(),
  tokensAfter: z.number(),
  summary: z.string(),
})

const SessionError = AgentError.extend({ ...envelope, type: z.literal('session_error') })

/** What a step tells; the broker adds the id under which it is stored and sent. */
export const AgentStateEventBody = z.discriminatedUnion('type', [
  StateChanged,
  ToolLifecycle,
  HookLifecycle,
  InputQueued,
  Compacted,
  SessionError,
])
export type AgentStateEventBody = z.infer<typeof AgentStateEventBody>

const id = { eventId: z.string() }

/** The payload of `agent:state_event` (SE-14). */
export const AgentStateEvent = z.discriminatedUnion('type', [
  StateChanged.extend(id),
  ToolLifecycle.extend(id),
  HookLifecycle.extend(id),
  InputQueued.extend(id),
  Compacted.extend(id),
  SessionError.extend(id),
])
export type AgentStateEvent = z.infer<typeof AgentStateEvent>

import { z } from 'zod'
import { AgentToolCall, AnyJson, CompactionMethod, type ToolResult } from './records.ts'

/** One message of a session, in the order in which a model reads them. */
export const AgentMessage = z.discriminatedUnion('role', [
  z.object({ role: z.literal('user'), messageId: z.string(), content: z.string() }),
  z.object({
    role: z.literal('assistant'),
    streamId: z.string(),
    content: z.string(),
    toolCalls: z.array(AgentToolCall),
    /** What the harness wants back unchanged with the next request, such as signed thinking. */
    raw: AnyJson.optional(),
  }),
  z.object({
    role: z.literal('tool'),
    toolCallId: z.string(),
    toolName: z.string(),
    content: z.string(),
    isError: z.boolean(),
  }),
  /** From here on the model reads less of what was said before (SE-20); nothing is deleted. */
  z.object({
    role: z.literal('compaction'),
    compactionId: z.string(),
    how: CompactionMethod,
    content: z.string(),
    /** Characters at the end that are read as they are. */
    tailLength: z.number(),
  }),
])
export type AgentMessage = z.infer<typeof AgentMessage>

/** Characters that a message takes in a request, about; for the bound on a conversation. */
export function messageSize(message: AgentMessage): number {
  return JSON.stringify(message).length
}

/**
 * The answers to a batch, in the order of its calls. Each call is answered, whatever became of it:
 * providers refuse a conversation in which one is left open.
 */
export function toolMessages(
  calls: readonly AgentToolCall[],
  results: readonly ToolResult[],
  otherwise: (call: AgentToolCall) => string,
): AgentMessage[] {
  return calls.map((call) => {
    const result = results.find(({ callId }) => callId === call.callId)
    const { content, isError } = result ?? { content: otherwise(call), isError: true }
    return { role: 'tool', toolCallId: call.callId, toolName: call.name, content, isError }
  })
}

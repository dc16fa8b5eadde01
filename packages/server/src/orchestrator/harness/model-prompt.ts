import { type AgentMessage, isJsonObject, type Json, unreachable } from '@statewright/core/internal'
import { z } from 'zod'
import type { ToolDefinition, TurnRequest } from '../ports.ts'
import type { ProviderName, SdkModel } from './model-provider.ts'

type CallOptions = Parameters<SdkModel['doStream']>[0]
export type Prompt = CallOptions['prompt']
type Message = Prompt[number]
type Tools = NonNullable<CallOptions['tools']>

export type MetaValue = z.infer<ReturnType<typeof z.json>>

const AnyJson: z.ZodType<Json> = z.json()
const meta = { providerOptions: z.record(z.string(), z.record(z.string(), z.json())).optional() }

/** What an answer is kept as, so that signed thinking comes back to the model unchanged. */
export const StoredPart = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string(), ...meta }),
  z.object({ type: z.literal('reasoning'), text: z.string(), ...meta }),
  z.object({
    type: z.literal('tool-call'),
    toolCallId: z.string(),
    toolName: z.string(),
    input: AnyJson,
    ...meta,
  }),
])
export type StoredPart = z.infer<typeof StoredPart>

/**
 * The whole conversation with what stands before it. Anthropic is told where to cache: behind what
 * never changes in a session, and behind the newest message, which the next request begins with.
 */
export function promptOf(
  { system, brief, messages }: Pick<TurnRequest, 'system' | 'brief' | 'messages'>,
  provider: ProviderName,
): Prompt {
  const texts = [system ?? '', brief ?? ''].filter((text) => text !== '')
  const conversation = messages.flatMap(messageOf)
  if (provider !== 'anthropic') {
    // Servers of open models often take one system message only.
    const content = texts.join('\n\n')
    return content === '' ? conversation : [{ role: 'system', content }, ...conversation]
  }
  const standing = texts.map((content): Message => ({ role: 'system', content }))
  const [first, ...rest] = standing
  const newest = conversation.at(-1)
  return [
    ...(first === undefined ? [] : [system === null || system === '' ? first : cached(first)]),
    ...rest,
    ...conversation.slice(0, -1),
    ...(newest === undefined ? [] : [cached(newest)]),
  ]
}

function cached(message: Message): Message {
  return { ...message, providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } }
}

export function toolsOf(tools: readonly ToolDefinition[], provider: ProviderName): Tools {
  return tools.map(({ name, description, inputSchema }) => ({
    type: 'function',
    name,
    description,
    inputSchema: { ...inputSchema },
    // There, silence means strict, and a strict model must fill in every optional argument.
    ...(provider === 'openai-responses' ? { strict: false } : {}),
  }))
}

function messageOf(message: AgentMessage): Message[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: [{ type: 'text', text: message.content }] }]
    case 'assistant': {
      const content = assistantParts(message)
      // Providers refuse a message without content.
      return content.length === 0 ? [] : [{ role: 'assistant', content }]
    }
    case 'tool': {
      const { toolCallId, toolName, content: value, isError } = message
      const output = { type: isError ? ('error-text' as const) : ('text' as const), value }
      return [{ role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] }]
    }
    // Already read into the messages around it.
    case 'compaction':
      return []
    default:
      return unreachable(message)
  }
}

type AssistantMessage = Extract<AgentMessage, { role: 'assistant' }>

function assistantParts(
  message: AssistantMessage,
): Extract<Message, { role: 'assistant' }>['content'] {
  const kept = z.array(StoredPart).safeParse(message.raw)
  const parts = kept.success && kept.data.length > 0 ? kept.data : plainParts(message)
  return parts.map(({ providerOptions, ...part }) => ({
    ...('input' in part ? { ...part, input: objectOf(part.input) } : part),
    ...(providerOptions === undefined ? {} : { providerOptions }),
  }))
}

function plainParts({ content, toolCalls }: AssistantMessage): StoredPart[] {
  const text: StoredPart[] = content === '' ? [] : [{ type: 'text', text: content }]
  const calls = toolCalls.map(
    ({ callId, name, arguments: input }): StoredPart => ({
      type: 'tool-call',
      toolCallId: callId,
      toolName: name,
      input,
    }),
  )
  return [...text, ...calls]
}

/** Models demand an object even where one of them has written broken JSON. */
function objectOf(input: Json): object {
  if (isJsonObject(input)) return input
  return { malformed_arguments: input }
}

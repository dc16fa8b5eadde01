import { isJsonObject, type Json, type JsonObject, unreachable } from '@statewright/core/internal'
import { z } from 'zod'
import type { HarnessPart } from '../ports.ts'

/** Lines of the client's stream that mean something to us; it may say more. */
const Line = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('stream_event'),
    parent_tool_use_id: z.string().nullish(),
    event: z.looseObject({
      type: z.string(),
      delta: z.looseObject({ type: z.string().optional() }).optional(),
    }),
  }),
  z.looseObject({
    type: z.enum(['assistant', 'user']),
    message: z.looseObject({ content: z.unknown() }),
  }),
  z.looseObject({
    type: z.literal('result'),
    is_error: z.boolean().optional(),
    subtype: z.string().optional(),
    result: z.unknown().optional(),
    stop_reason: z.string().nullish(),
    total_cost_usd: z.number().nonnegative().optional(),
    usage: z
      .looseObject({
        input_tokens: z.number().optional(),
        output_tokens: z.number().optional(),
        cache_read_input_tokens: z.number().optional(),
        cache_creation_input_tokens: z.number().optional(),
      })
      .optional(),
  }),
])

const ToolUse = z.looseObject({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.json(),
})
const ToolResult = z.looseObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  is_error: z.boolean().nullish(),
  content: z.unknown().optional(),
})

const maxErrorText = 2000

interface ReadLine {
  readonly parts: readonly HarnessPart[]
  readonly hasUnjudged: boolean
}

function onlyParts(parts: readonly HarnessPart[]): ReadLine {
  return { parts, hasUnjudged: false }
}

/** Turns the lines of one client into pieces of our stream. It remembers calls and cost. */
export class ClaudeStream {
  readonly #takeAllowed: (callId: string) => boolean
  readonly #calls = new Map<string, { readonly name: string; readonly arguments: Json }>()
  #reportedUsd = 0

  /** `takeAllowed`: whether a call was let through by our hook; it answers once for each. */
  constructor(takeAllowed: (callId: string) => boolean) {
    this.#takeAllowed = takeAllowed
  }

  /** The pieces of a line, and whether a call ran according to it that was not let through. */
  read(line: string): ReadLine {
    const parsed = Line.safeParse(parse(line))
    if (!parsed.success) return { parts: [], hasUnjudged: false }
    const { data } = parsed
    switch (data.type) {
      case 'stream_event':
        // The words of a sub-agent are not those of the session.
        return onlyParts(data.parent_tool_use_id ? [] : deltaParts(data.event.delta))
      case 'assistant':
        return onlyParts(this.#requested(data.message.content))
      case 'user':
        return this.#finished(data.message.content)
      case 'result':
        return onlyParts([this.#ended(data)])
      default:
        return unreachable(data)
    }
  }

  #requested(content: unknown): HarnessPart[] {
    return listOf(content, ToolUse).map(({ id: callId, name, input }) => {
      this.#calls.set(callId, { name, arguments: input })
      return { type: 'tool_call_delta', payload: { callId, name, arguments: input } }
    })
  }

  #finished(content: unknown): ReadLine {
    let hasUnjudged = false
    const results = listOf(content, ToolResult)
    const parts = results.map(({ tool_use_id: callId, is_error, content: text }): HarnessPart => {
      const call = this.#calls.get(callId) ?? { name: 'unknown', arguments: null }
      this.#calls.delete(callId)
      const isError = is_error === true
      const words = wordsOf(text).slice(0, maxErrorText)
      const wasAllowed = this.#takeAllowed(callId)
      // A call that was denied, or that the client turned away itself, ends as an error.
      if (!isError && !wasAllowed) hasUnjudged = true
      const output = isError ? { error: words } : words === '' ? {} : { output: words }
      const untouched = isError && !wasAllowed ? { changedNothing: true } : {}
      return {
        type: 'tool_call_completed',
        payload: { callId, ...call, status: 'succeeded', isError, ...output, ...untouched },
      }
    })
    return { parts, hasUnjudged }
  }

  #ended(result: Extract<z.infer<typeof Line>, { type: 'result' }>): HarnessPart {
    const { usage = {}, total_cost_usd: totalUsd } = result
    if (result.is_error === true) {
      const message = wordsOf(result.result).slice(0, maxErrorText) || 'The agent ended in error.'
      return { type: 'error', payload: { code: result.subtype ?? 'agent_error', message } }
    }
    const costUsd = totalUsd === undefined ? undefined : Math.max(0, totalUsd - this.#reportedUsd)
    if (totalUsd !== undefined) this.#reportedUsd = totalUsd
    const inputTokens =
      (usage.input_tokens ?? 0) +
      (usage.cache_read_input_tokens ?? 0) +
      (usage.cache_creation_input_tokens ?? 0)
    const payload: JsonObject = {
      finishReason: result.stop_reason ?? 'stop',
      inputTokens,
      outputTokens: usage.output_tokens ?? 0,
      ...(costUsd === undefined ? {} : { costUsd }),
    }
    return { type: 'completed', payload }
  }
}

function deltaParts(delta: { readonly type?: string | undefined } | undefined): HarnessPart[] {
  if (!isJsonObject(delta)) return []
  if (delta.type === 'text_delta' && typeof delta.text === 'string') {
    return [{ type: 'text_delta', payload: { text: delta.text } }]
  }
  if (delta.type === 'thinking_delta' && typeof delta.thinking === 'string') {
    return [{ type: 'thinking_delta', payload: { text: delta.thinking } }]
  }
  return []
}

function listOf<Shape>(content: unknown, schema: z.ZodType<Shape>): Shape[] {
  if (!Array.isArray(content)) return []
  return content.flatMap((item) => {
    const parsed = schema.safeParse(item)
    return parsed.success ? [parsed.data] : []
  })
}

/** A result is a text or a list of blocks with texts. */
function wordsOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((block) => (isJsonObject(block) && typeof block.text === 'string' ? block.text : ''))
    .join('')
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

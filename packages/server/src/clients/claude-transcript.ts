import { z } from 'zod'
import type { ModelUse } from './client.ts'

const count = z.number().int().min(0).catch(0)

/** A line of Claude Code's transcript that tells what a request to a model used. */
const Line = z.looseObject({
  type: z.literal('assistant'),
  timestamp: z.string().optional(),
  message: z.looseObject({
    id: z.string().min(1).max(200),
    model: z.string().min(1).max(200),
    usage: z.looseObject({
      input_tokens: count,
      output_tokens: count,
      cache_read_input_tokens: count,
      cache_creation_input_tokens: count,
      cache_creation: z
        .looseObject({ ephemeral_1h_input_tokens: count })
        .optional()
        .catch(undefined),
    }),
  }),
})

/**
 * What one line of a transcript tells of a model's use. The client writes a line for each part of
 * an answer, all with the id of the answer, and the earlier ones may tell less than the last.
 */
export function claudeModelUse(text: string): ModelUse | undefined {
  // Most lines are tool results: they need not be parsed to be passed over.
  if (!text.includes('"usage"')) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const line = Line.safeParse(value)
  if (!line.success) return undefined
  const { message, timestamp } = line.data
  const { id, model, usage } = message
  const long = usage.cache_creation?.ephemeral_1h_input_tokens ?? 0
  const used = {
    input: usage.input_tokens,
    output: usage.output_tokens,
    cacheRead: usage.cache_read_input_tokens,
    cacheWrite: Math.max(0, usage.cache_creation_input_tokens - long),
    cacheWriteLong: long,
  }
  // The client's own words, such as an error it tells, stand there as from a model that used none.
  if (Object.values(used).every((tokens) => tokens === 0)) return undefined
  const at = timestamp === undefined ? Number.NaN : Date.parse(timestamp)
  return { id, model, ...(Number.isNaN(at) ? {} : { at }), used }
}

import { type JsonObject, jsonWithin } from '../base/json.ts'
import { limits } from '../base/limits.ts'
import type { Code } from '../base/problem.ts'
import { type Phrase, phrase } from '../base/text/phrase.ts'
import { prototypeNames } from '../definition/names.ts'
import type { LaneName } from '../run/lanes.ts'
import { type Draft, record } from './draft.ts'

export interface DataFault {
  readonly code: Code
  readonly message: Phrase
}

/** Why data may not become context, or null when it may (WF-17). */
export function dataFault(data: JsonObject | undefined): DataFault | null {
  if (data === undefined) return null
  for (const key of Object.keys(data)) {
    if (!key.startsWith('_') && !key.startsWith('$') && !prototypeNames.has(key)) continue
    const message = phrase('reserved_key', { key: key.slice(0, 100) })
    return { code: 'reserved_key', message }
  }
  if (jsonWithin(data, { bytes: limits.eventDataBytes, depth: limits.jsonDepth })) return null
  const { eventDataBytes: bytes, jsonDepth: levels } = limits
  return { code: 'context_too_large', message: phrase('data_too_large', { bytes, levels }) }
}

/** The context with data laid over it, or null when it would grow past its limit. */
export function mergeData(context: JsonObject, data: JsonObject | undefined): JsonObject | null {
  if (data === undefined) return context
  const merged = { ...context, ...data }
  return fits(merged) ? merged : null
}

function fits(context: JsonObject): boolean {
  return jsonWithin(context, { bytes: limits.contextBytes, depth: limits.jsonDepth * 2 })
}

/**
 * What children and branches bring back may be too much for one context. The end of a child cannot
 * be refused, so less of it is kept, and the history says so.
 */
export function firstFitting(
  draft: Draft,
  lane: LaneName,
  contexts: readonly (() => JsonObject)[],
): JsonObject {
  for (const [index, context] of contexts.entries()) {
    const made = context()
    if (index < contexts.length - 1 && !fits(made)) continue
    if (index > 0) {
      const text = phrase('context_cut', { bytes: limits.contextBytes })
      record(draft, { type: 'notice', text, code: 'context_too_large' }, lane)
    }
    return made
  }
  return {}
}

import { cut } from '../cut.ts'
import { limits } from '../limits.ts'
import type { Words } from './phrase.ts'

const longestList = 100

/**
 * Words as they may be stored. They name tools, files and branches as the agent calls them, however
 * long that is and however many there are.
 */
export function bounded<Text extends Words>(words: Text): Text {
  // Nearly always they fit as they are. Else strings are cut and lists shortened: the same shape.
  return fits(words) ? words : (boundedValue(words) as Text)
}

function fits(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= limits.messageLength
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.length <= longestList && value.every(fits)
  for (const key in value) {
    // Any object may be read by its own keys.
    if (!fits((value as Readonly<Record<string, unknown>>)[key])) return false
  }
  return true
}

function boundedValue(value: unknown): unknown {
  if (typeof value === 'string') return cut(value, limits.messageLength)
  if (Array.isArray(value)) return value.slice(0, longestList).map(boundedValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, boundedValue(item)]))
}

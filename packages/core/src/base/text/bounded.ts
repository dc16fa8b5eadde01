import { cut } from '../cut.ts'
import { limits } from '../limits.ts'
import type { Words } from './phrase.ts'

const longestList = 100

/**
 * Words as they may be stored. They name tools, files and branches as the agent calls them, however
 * long that is and however many there are.
 */
export function bounded<Kept extends Words>(words: Kept): Kept {
  // Only strings were cut and lists shortened: the shape is the same.
  return boundedValue(words) as Kept
}

function boundedValue(value: unknown): unknown {
  if (typeof value === 'string') return cut(value, limits.messageLength)
  if (Array.isArray(value)) return value.slice(0, longestList).map(boundedValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, boundedValue(item)]))
}

import { isJsonObject, type JsonObject } from '@statewright/core/internal'
import { transcriptLimits } from './limits.ts'
import type { Line } from './read-lines.ts'
import type { TranscriptEvent } from './transcript.ts'

type Parsed = { readonly value: JsonObject } | { readonly unreadable: TranscriptEvent } | undefined

/**
 * A line as an object; undefined where it holds none of the words that would make it tell of a
 * call, a result or a prompt. Most lines do not, and parsing all of them would take hours.
 */
export function parseLine(read: Line, words: readonly string[]): Parsed {
  const { line } = read
  if (!('text' in read)) return { unreadable: { kind: 'unreadable', line, why: read.why } }
  const text = read.text.trim()
  if (text === '') return undefined
  const isWhole = text.startsWith('{') && text.endsWith('}')
  if (isWhole && !words.some((word) => text.includes(word))) return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (isJsonObject(value)) return { value }
  } catch {
    // What was cut off in the middle of a line begins as one.
  }
  const why = text.startsWith('{') && !isWhole ? 'cut off' : 'not JSON'
  return { unreadable: { kind: 'unreadable', line, why } }
}

/** Whether a value nests deeper than a call may; looked at without recursion of our own. */
export function isTooDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value]
  for (let depth = 0; depth <= transcriptLimits.inputDepth; depth++) {
    level = level.flatMap((one) =>
      typeof one === 'object' && one !== null ? Object.values(one) : [],
    )
    if (level.length === 0) return false
  }
  return true
}

/** The last moment that can be written as a date. */
const latest = 8_640_000_000_000_000

/** What has no time of its own, or one that nobody could show, counts as just before. */
export function timeOf(value: unknown, before: number): number {
  const at = typeof value === 'string' ? Date.parse(value) : value
  return typeof at === 'number' && at >= 0 && at <= latest ? at : before
}

export function idOf(value: unknown): string | undefined {
  const isUsable = typeof value === 'string' && value !== ''
  return isUsable && value.length <= transcriptLimits.idLength ? value : undefined
}

/** The size of a result as the model reads it, and its text where it is short enough to keep. */
export function outputFacts(text: string): { readonly bytes: number; readonly output?: string } {
  const bytes = Buffer.byteLength(text)
  return text.length > transcriptLimits.outputLength ? { bytes } : { bytes, output: text }
}

/** A result is a text, or a list of blocks of which some are texts. */
export function wordsOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((block) => (isJsonObject(block) && typeof block.text === 'string' ? block.text : ''))
    .join('')
}

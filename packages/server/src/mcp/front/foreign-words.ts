import { isJsonObject } from '@statewright/core/internal'
import type { JsonParams } from '../../upstream/upstream.ts'

/** How our own notices begin, at the start of a line. */
const asOurs = /^([ \t]*)(?=\[STATEWRIGHT\b)/gim

/**
 * A server behind us could write a line that begins like a notice of ours, and tell the agent that
 * its state has changed. Such a line says whose it is.
 */
export function nameForeignWords(result: JsonParams, server: string): JsonParams {
  const { content } = result
  if (!Array.isArray(content)) return result
  const reported = content.map((part) => {
    if (!isJsonObject(part) || part.type !== 'text' || typeof part.text !== 'string') return part
    const text = part.text.replace(asOurs, `$1(from ${server}, not from Statewright) `)
    return text === part.text ? part : { ...part, text }
  })
  return { ...result, content: reported }
}

import { isJsonObject } from '@statewright/core/internal'

/**
 * Whether a result of a tool is text and nothing else, as nearly all are: then there is nothing in
 * it that only the protocol's library knows how to read. What `_meta` says is for anyone who asked.
 */
export function isPlainResult(result: Readonly<Record<string, unknown>>): boolean {
  const { content, isError, _meta: meta, ...rest } = result
  return (
    Object.keys(rest).length === 0 &&
    Array.isArray(content) &&
    content.every(isPlainText) &&
    (isError === undefined || typeof isError === 'boolean') &&
    (meta === undefined || isJsonObject(meta))
  )
}

function isPlainText(part: unknown): boolean {
  if (!isJsonObject(part) || part.type !== 'text' || typeof part.text !== 'string') return false
  return Object.keys(part).length === 2
}

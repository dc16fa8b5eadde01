import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Result } from '@statewright/core'
import type { RuntimeProblem } from '../../runtime/problem.ts'

/** A refusal is a result, not a protocol error: the model must read it and can go on from it. */
export function refusalResult(refusal: RuntimeProblem): CallToolResult {
  const body = refusalBody(refusal)
  // Not as structured content: clients hold that against the schema of the good answer.
  const _meta = { [refusalMetaKey]: body }
  return { content: [{ type: 'text', text: JSON.stringify(body) }], isError: true, _meta }
}

/** Where programs find the refusal without reading the text. */
export const refusalMetaKey = 'statewright/refusal'

export function refusalBody({ code, message, where, next, details }: RuntimeProblem): object {
  return {
    code,
    message,
    ...(where === undefined ? {} : { where }),
    ...(next === undefined ? {} : { next }),
    ...details,
  }
}

export function toResult(done: Result<object, RuntimeProblem>): CallToolResult {
  if (!done.ok) return refusalResult(done.error)
  const structuredContent = { ...done.value }
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent }
}

import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Result } from '@statewright/core/internal'
import type { RuntimeProblem } from '../../base/problem.ts'

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
    ...(next === undefined ? {} : { next: forAgents(next) }),
    ...details,
  }
}

export function toResult(done: Result<object, RuntimeProblem>): CallToolResult {
  if (!done.ok) return refusalResult(done.error)
  const structuredContent = { ...done.value }
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent }
}

/** What helps is told as a command to people; an agent has a tool for it. */
function forAgents(next: string): string {
  return next.replace(/["`]statewright ([a-z]+ [a-z]+)["`]/g, (command, verb: string) => {
    return toolsOfCommands.get(verb) ?? command
  })
}

const toolsOfCommands: ReadonlyMap<string, string> = new Map([
  ['workflow list', 'statewright_list_workflows'],
  ['run list', 'statewright_get_status'],
  ['run show', 'statewright_get_state'],
])

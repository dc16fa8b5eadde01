import type { Actor, JsonObject, RunEvent } from '@statewright/core/internal'
import { pick } from './pick.ts'

/** Names that would reach a prototype, end a line, never end or look like words of ours. */
export const hostileTexts = [
  '',
  '__proto__',
  'constructor',
  'BRANCH_DONE:',
  'BRANCH_DONE:__proto__',
  'BRANCH_FAIL:\n',
  '$return',
  '\u0000\uD800',
  'x'.repeat(3000),
  '[STATEWRIGHT INTERRUPT]',
] as const

const hostileData: readonly JsonObject[] = [
  JSON.parse('{"__proto__": {"polluted": true}}'),
  JSON.parse('{"x": {"__proto__": {"polluted": true}}}'),
  { constructor: 1 },
  { _status: 'completed' },
  { $x: 1 },
  { branches: { left: 1 } },
  { x: 'y'.repeat(70_000) },
  { x: JSON.parse(`${'['.repeat(40)}1${']'.repeat(40)}`) },
  { hasOwnProperty: 'x', toString: null },
]

/** An event that carries them wherever a caller may write something. */
export function hostileEvent(
  { what, input, more }: { readonly what: number; readonly input: number; readonly more: number },
  shared: { readonly at: number; readonly by: Actor; readonly approvalId: string },
): RunEvent {
  const { at, by, approvalId } = shared
  const text = pick(hostileTexts, what)
  const data = pick(hostileData, input)
  switch (more % 7) {
    case 0:
      return { type: 'transition_requested', at, by, event: text, data, approvalId }
    case 1:
      return { type: 'transition_requested', at, by, event: 'GO', data, branch: text, approvalId }
    case 2:
      return { type: 'forced', at, by, state: text, context: data }
    case 3:
      return { type: 'answer_given', at, by, answer: text, rationale: text, approvalId }
    case 4:
      return { type: 'branch_bound', at, by: { kind: 'agent', id: text }, branch: text }
    case 5: {
      const call = { id: text, tool: text, argsHash: text, server: text }
      const approvalExpiresAt = at
      return { type: 'tool_requested', at, by, call, branch: text, approvalId, approvalExpiresAt }
    }
    default:
      return { type: 'transition_requested', at, by, event: 'NEXT', data, approvalId }
  }
}

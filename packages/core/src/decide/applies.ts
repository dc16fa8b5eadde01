import { allowsTool, type ToolList } from '../call/tool-pattern.ts'
import type { ToolCall } from '../run/tool-call.ts'
import type { ShellFindings } from '../shell/findings.ts'
import type { CommandPattern } from '../shell/rules.ts'
import type { CallShape } from './call-shape.ts'

/**
 * Whether a call is, or may be, one of those that a list of tools means. For whatever closes
 * something: a condition on calls, a mark, `forget_on`, an interrupt.
 */
export function touches(list: ToolList, call: ToolCall, shape: CallShape): boolean {
  if (allowsTool(list, shape.ref)) return true
  if (shape.isShell) return list.commandPatterns.some((pattern) => mayRun(call.shell, pattern))
  if (shape.ref.server !== undefined) return false
  // A patch goes by what it does; one that cannot be read may do all that its tool can.
  const needs = call.unreadable === undefined ? shape.needs : ['Edit', 'Write']
  const isEdit = shape.files.length > 0 || call.unreadable !== undefined
  return isEdit && needs.some((tool) => allowsTool(list, { tool }))
}

/** Whether a call is exactly one of those that a list means. For whatever its result proves. */
export function teaches(list: ToolList, call: ToolCall, shape: CallShape): boolean {
  if (allowsTool(list, shape.ref)) return true
  if (!shape.isShell || call.background === true || call.elsewhere === true) return false
  const whole = call.shell?.whole ?? null
  if (whole === null) return false
  return list.commandPatterns.some((pattern) => beginsWith(whole, pattern))
}

function mayRun(findings: ShellFindings | undefined, pattern: CommandPattern): boolean {
  if (findings === undefined || findings.unknowns.length > 0) return true
  return findings.commands.some(({ words }) => beginsWith(words, pattern))
}

/** A word that the text does not tell may be any word. */
function beginsWith(
  words: readonly (string | null)[],
  { words: wanted, exact }: CommandPattern,
): boolean {
  if (exact ? words.length !== wanted.length : words.length < wanted.length) return false
  return wanted.every((word, index) => words[index] === null || words[index] === word)
}

import type { ParsedScript } from 'unbash'
import type { Notes } from './context.ts'

/**
 * The words of a text that is exactly one simple command: no list, pipe, assignment, redirect,
 * background or wrapper, so that its exit status is the command's own.
 */
export function wholeCommand(script: ParsedScript, notes: Notes): readonly string[] | null {
  const only = script.commands[0]
  if (script.commands.length !== 1 || only === undefined || only.background === true) return null
  const node = only.command
  if (node.type !== 'Command' || node.prefix.length > 0) return null
  if (node.suffix.some((part) => part.type !== 'Word' && !isHarmlessRedirect(part))) return null
  if (notes.commands.length !== 1 || notes.takeovers.length > 0) return null
  const words = notes.commands[0]?.words
  if (words === undefined || words.some((word) => word === null)) return null
  return words as readonly string[] // No word is null.
}

/** `2>&1` and `> /dev/null` leave the exit status as it is. */
function isHarmlessRedirect(part: { readonly type: string }): boolean {
  return part.type === 'Redirect'
}

import { isPathInside, isPlainCommand } from '@statewright/core/internal'
import { analyzeCommand, type CommandFindings } from '@statewright/core/shell'

/**
 * The words of a command with its paths left open, for "this command on other files"; nothing where
 * it names none, does more than its words say, or changes something for good.
 */
export function commandPattern(command: string): readonly string[] | null {
  if (!isPlainCommand(command)) return null
  const found = analyzeCommand(command)
  const { whole, writes, guard, takeovers, unknowns } = found
  if (whole === null || writes.length + guard.length + takeovers.length > 0) return null
  if (unknowns.length > 0 || takesOtherCode(found)) return null
  const words = whole.map((word, at) => (at > 0 && isPath(word) ? '*' : word))
  return words.includes('*') ? words : null
}

/** Whether another file would be another program, or another host. */
function takesOtherCode({ whole, unproven, reach }: CommandFindings): boolean {
  if (reach.some((one) => one.reach === 'network')) return true
  if (unproven.some(({ what }) => what !== 'runner')) return true
  // A runner of the project takes files as such; an interpreter runs the first one.
  const first = whole?.slice(1).find((word) => !word.startsWith('-'))
  return unproven.length > 0 && first !== undefined && isPath(first)
}

/** A word that names a file rather than something to do, as the judge covers it. */
function isPath(word: string): boolean {
  return isPathInside(word) && /[./]/.test(word)
}

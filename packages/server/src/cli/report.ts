import { codes, type Problem } from '@statewright/core'

/** Tells a problem in three lines on stderr: what, where, and what to do next. */
export function reportProblem(problem: Problem): number {
  const lines = [`${problem.code}: ${problem.message}`]
  if (problem.where !== undefined) lines.push(`  in: ${problem.where}`)
  if (problem.next !== undefined) lines.push(`  next: ${problem.next}`)
  process.stderr.write(`${lines.map(printable).join('\n')}\n`)
  return codes[problem.code].exit
}

/** The outermost layer: whatever our own code did wrong ends here. */
export function internalProblem(error: unknown): Problem {
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const [first = '', second] = trace.split('\n')
  return {
    code: 'internal',
    message: `Something in Statewright itself went wrong (${first}).`,
    where: second?.trim() ?? 'an unknown place',
    next: 'report this with the command you ran; nothing was changed.',
  }
}

/**
 * Names and texts come from files that others wrote. Shown raw, they could move the cursor, change
 * the title or rewrite lines of a terminal.
 */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0
    return `\\u{${code.toString(16)}}`
  })
}

/** Whether colours help: never when piped, and not where they were switched off. */
export function usesColour(stream: NodeJS.WriteStream): boolean {
  const { NO_COLOR, TERM } = process.env
  return stream.isTTY === true && (NO_COLOR ?? '') === '' && TERM !== 'dumb'
}

import { codes, type Problem, spellHidden, spelt } from '@statewright/core/internal'
import { wrapText } from './wrap-text.ts'

/** Tells a problem in three lines on stderr: what, where, and what to do next. */
export function reportProblem(problem: Problem): number {
  const lines = [`${problem.code}: ${problem.message}`]
  if (problem.where !== undefined) lines.push(`  in: ${problem.where}`)
  if (problem.next !== undefined) lines.push(`  next: ${problem.next}`)
  const [first = '', ...rest] = lines.map((line) => forTerminal(printable(line)))
  process.stderr.write(`${[emphasized(first, process.stderr), ...rest].join('\n')}\n`)
  return codes[problem.code].exit
}

/**
 * A line as the terminal at the other end has room for: by itself it would break words in two. What
 * goes on in the next line stands a little further in. A file keeps lines whole.
 */
export function forTerminal(line: string, stream: NodeJS.WriteStream = process.stderr): string {
  const { isTTY, columns } = stream
  if (isTTY !== true || line.length <= (columns || 80)) return line
  const [indent = ''] = /^ */.exec(line) ?? []
  const [first = '', ...rest] = wrapText(line.trim(), columns || 80, indent)
  if (rest.length === 0) return first
  const more = rest.map((part) => part.trim()).join(' ')
  return [first, ...wrapText(more, columns || 80, `${indent}  `)].join('\n')
}

/** Finds warnings and problems among many lines: their first word has a colour. */
export function emphasized(line: string, stream: NodeJS.WriteStream): string {
  if (!usesColour(stream)) return line
  return line.replace(/^([a-z_]+):(?= )/, (whole, word: string) => {
    if (word === 'warning') return inColour('yellow', whole)
    return Object.hasOwn(codes, word) ? inColour('red', whole) : whole
  })
}

const colours = { red: 31, yellow: 33 } as const

export function inColour(colour: keyof typeof colours, text: string): string {
  return `\u001b[${colours[colour]}m${text}\u001b[0m`
}

/** The outermost layer: whatever our own code did wrong ends here. */
export function internalProblem(error: unknown): Problem {
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const [first = '', second] = trace.split('\n')
  return {
    code: 'internal',
    message: `Something in Statewright itself went wrong (${first}).`,
    where: second?.trim() ?? 'an unknown place',
    next: 'report this with the command you ran.',
  }
}

/**
 * Names and texts come from files that others wrote. Shown raw, they could move the cursor, change
 * the title or rewrite lines of a terminal.
 */
export function printable(text: string): string {
  return spellHidden(text).replaceAll(/[\t\n]/g, spelt)
}

/**
 * Whether colours help: not when piped, and not where they were switched off. `FORCE_COLOR` is the
 * last word, as with other tools: logs of CI jobs show colours without being terminals.
 */
export function usesColour(stream: NodeJS.WriteStream): boolean {
  const { FORCE_COLOR = '', NO_COLOR, TERM } = process.env
  if (FORCE_COLOR !== '') return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  return stream.isTTY === true && (NO_COLOR ?? '') === '' && TERM !== 'dumb'
}

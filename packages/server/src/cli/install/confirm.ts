import { askLine, hasTerminal } from '../ask.ts'
import { refuse, say, saySentence } from '../command.ts'
import { printable } from '../output/report.ts'
import { textDiff } from '../output/text-diff.ts'
import type { FileChange } from './plan.ts'

/**
 * Shows what would change in a client's files and asks whether it may. A line for each file comes
 * first: the differences of all of them would push the question out of sight. False when the
 * person said no.
 */
export async function confirmChanges(
  changes: readonly FileChange[],
  options: { readonly yes?: true },
): Promise<boolean> {
  const changed = changes.filter(({ before, after }) => before !== after)
  if (changed.length === 0) return true
  if (options.yes !== true && !hasTerminal()) {
    sayDifferences(changed)
    const message = 'Nothing was changed: there is no terminal to ask you in.'
    return refuse({ code: 'usage', message, where: '--yes', next: 'add --yes if you mean it.' })
  }
  for (const change of changed) saySentence(summaryOf(change))
  if (options.yes === true) return true
  for (;;) {
    const many = changed.length === 1 ? 'this file' : 'these files'
    const answer = (await askLine(`Change ${many}? [y]es, [n]o, show the [d]ifferences: `)).trim()
    if (/^y(es)?$/i.test(answer)) return true
    if (!/^d/i.test(answer)) return false
    sayDifferences(changed)
  }
}

function summaryOf({ path, before, after }: FileChange): string {
  const name = printable(path)
  if (after === undefined) return `${name}: removed`
  const lines = textDiff(before ?? '', after)
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length
  if (before === undefined) return `${name}: new, ${count('+')} lines`
  return `${name}: ${count('+')} lines added, ${count('-')} removed`
}

function sayDifferences(changes: readonly FileChange[]): void {
  for (const { path, before, after } of changes) {
    say(`${after === undefined ? 'remove ' : ''}${printable(path)}`)
    for (const line of textDiff(before ?? '', after ?? '')) say(shown(line))
  }
}

/** Keys stay out of sight: a terminal is scrolled back and copied. */
function shown(line: string): string {
  const hidden = line.replaceAll(
    /sw_(agent|hook|person|tell)_[A-Za-z0-9_-]{10,}/g,
    'sw_$1_(hidden)',
  )
  return printable(hidden.replaceAll('\t', '  ').replace(/\r$/, ''))
}

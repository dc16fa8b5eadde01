import type { ProgramEntry } from '@statewright/core/internal'
import { allEntries } from '../../packages/core/src/shell/entries/all.ts'

const words: Readonly<Record<ProgramEntry['does'], string>> = {
  read: 'reads',
  write: 'changes files',
  change: 'changes lasting state',
  pass: 'runs code of the project',
  run: 'starts the command that follows it',
  opaque: 'runs code that is not analysed',
}

/** What is known of programs (SH-5), from the entries themselves. */
export function programsPage(): string {
  const pieces = allEntries
    .toSorted((one, other) => (one.names < other.names ? -1 : 1))
    .map((entry) => [`## ${code(entry.names)}`, ...described(entry, 0)].join('\n\n'))
  return pieces.join('\n\n')
}

type Facts = Omit<ProgramEntry, 'names'>

function described(entry: Facts, depth: number): string[] {
  const lines = [`It ${words[entry.does]}${entry.reach ? `; beyond files: ${entry.reach}` : ''}.`]
  if (entry.bare !== undefined && entry.bare !== entry.does) {
    lines.push(`Without operands it ${words[entry.bare]}.`)
  }
  if (entry.reader !== undefined) lines.push('Its arguments have a parser of their own.')
  const rows = Object.entries(entry.options ?? {}).map(([role, text]) => `- ${role}: ${code(text)}`)
  const pieces = [lines.join(' '), ...(rows.length === 0 ? [] : [rows.join('\n')])]
  for (const [names, sub] of Object.entries(entry.sub ?? {})) {
    const heading = `${'#'.repeat(Math.min(6, 3 + depth))} ${code(names)}`
    pieces.push(heading, ...described(sub, depth + 1))
  }
  return pieces
}

function code(text: string): string {
  return text
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => `\`${word}\``)
    .join(' ')
}

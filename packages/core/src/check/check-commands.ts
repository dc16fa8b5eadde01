import { type Finding, finding } from '../definition/finding.ts'
import { quote } from '../definition/parse/wording.ts'
import { splitCommandWords } from '../shell/command-words.ts'
import type { Scene } from './scene.ts'

/**
 * `allowed_commands: ['npm *']` would allow a command with a star in it, that is none: entries are
 * words that a command begins with, not patterns and not scripts (SH-8).
 */
export function checkCommands({ graph }: Scene): Finding[] {
  const findings: Finding[] = []
  for (const [name, state] of graph.states) {
    for (const [index, entry] of (state.allowed_commands ?? []).entries()) {
      const why = faultOf(entry)
      if (why === null) continue
      const path = ['states', name, 'allowed_commands', index]
      findings.push(finding('unusable_command', path, `${quote(entry)} ${why}`))
    }
  }
  return findings
}

function faultOf(entry: string): string | null {
  const words = splitCommandWords(entry)
  const [first] = words
  if (first === undefined) return 'names no command.'
  if (/^[A-Za-z_]\w*=/.test(first)) return 'begins with an assignment, which no entry covers.'
  if (words.some((word) => /[*?]/.test(word))) {
    return 'holds a pattern; an entry is the words that a command begins with, so leave it out.'
  }
  if (words.some((word) => /[|;&<>`$]/.test(word))) {
    return 'holds more than one command; list each of them by itself.'
  }
  if (words.at(-1)?.endsWith(':')) return 'ends in the middle of a word; words are compared whole.'
  return null
}

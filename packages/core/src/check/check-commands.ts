import { allowsTool, compileToolList } from '../call/tool-pattern.ts'
import { type Finding, finding } from '../definition/finding.ts'
import { quote } from '../definition/parse/wording.ts'
import { splitCommandWords } from '../shell/command-words.ts'
import type { CheckContext } from './check-context.ts'

/**
 * `allowed_commands: ['npm *']` would allow a command with a star in it, that is none: entries are
 * words that a command begins with, not patterns and not scripts (SH-8).
 */
export function checkCommands({ graph }: CheckContext): Finding[] {
  const findings: Finding[] = []
  for (const [name, state] of graph.states) {
    if (state.allowed_commands !== undefined && !hasShell(state.allowed_tools)) {
      const message = `${quote(name)} allows no shell, so none of its commands can be used.`
      const path = ['states', name, 'allowed_commands']
      findings.push(finding('commands_without_shell', path, message))
    }
    for (const [index, entry] of (state.allowed_commands ?? []).entries()) {
      const why = faultOf(entry)
      if (why === null) continue
      const path = ['states', name, 'allowed_commands', index]
      findings.push(finding('unusable_command', path, `${quote(entry)} ${why}`))
    }
  }
  return findings
}

function hasShell(allowed: readonly string[] | undefined): boolean {
  const list = compileToolList(allowed)
  return allowsTool(list, { tool: 'Bash' }) || list.commandPatterns.length > 0
}

function faultOf(entry: string): string | null {
  const words = splitCommandWords(entry)
  const [first] = words
  if (first === undefined) return 'names no command.'
  if (isAssignment(first)) return `begins with an assignment; ${insteadOf(entry)}`
  if (words.some((word) => /[*?]/.test(word))) {
    return 'contains a pattern. List only the first words of the command, without it.'
  }
  if (words.some((word) => /[|;&<>`$]/.test(word))) {
    return 'contains more than one command; list each one separately.'
  }
  if (words.at(-1)?.endsWith(':'))
    return 'ends in the middle of a word; only whole words are compared.'
  return null
}

function isAssignment(word: string): boolean {
  return /^[A-Za-z_]\w*=/.test(word)
}

/** A variable that is known to be harmless may stand in front of any listed command. */
function insteadOf(entry: string): string {
  const command = entry.replace(/^(?:\s*[A-Za-z_]\w*=\S*)+\s*/, '')
  const set = 'and set variables that the command needs in env_overrides.'
  return command === '' ? `list the command, ${set}` : `list ${quote(command)}, ${set}`
}

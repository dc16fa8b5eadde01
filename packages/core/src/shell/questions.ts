import { isSink } from './context.ts'
import type { ShellFindings } from './findings.ts'

/** Whether a command is provably nothing but reading, searching or listing (SH-6). */
export function isOnlyReading(findings: ShellFindings): boolean {
  return (findings.unproven?.length ?? 0) === 0 && harmlessReads(findings)
}

/** The same by what was noted before reading had to be proven. */
export function harmlessReads(findings: ShellFindings): boolean {
  if (findings.commands.length === 0) return false
  if (findings.writes.length + findings.unknowns.length + findings.background.length > 0) {
    return false
  }
  if (findings.takeovers.length > 0 || findings.guard.length > 0) return false
  return findings.commands.every(({ kind }) => kind === 'read' || kind === 'steer')
}

/**
 * Whether a command is exactly these words and nothing else, so that its exit status is evidence
 * for them: no list, pipe, assignment, background or wrapper.
 */
export function isWholeSimpleCommand(findings: ShellFindings, words: readonly string[]): boolean {
  const { whole } = findings
  // More words could make it do something else: `npm test --help` ends well and tests nothing.
  if (whole === null || words.length === 0 || whole.length !== words.length) return false
  return words.every((word, index) => whole[index] === word)
}

/** Files that a command visibly writes, each once (SH-7). */
export function visibleWrites(findings: ShellFindings): string[] {
  const paths = new Set<string>()
  for (const { path } of findings.writes) {
    if (path !== null && path !== '' && !isSink(path)) paths.add(path)
  }
  return [...paths]
}

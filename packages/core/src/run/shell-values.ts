import type { ShellFindings } from '../shell/findings.ts'
import { visibleWrites } from '../shell/questions.ts'
import { hostsOf } from './shell-hosts.ts'
import { readsOf } from './shell-reads.ts'
import { baseName } from './shell-words.ts'
import type { ToolCall } from './tool-call.ts'

/**
 * What conditions read of a command (FC-17). A list is left out where the text does not tell all
 * of it: then it is unknown, which counts against the call.
 */
export function shellValues(
  shell: ShellFindings,
  { shellFiles = [], shellReads }: Pick<ToolCall, 'shellFiles' | 'shellReads'> = {},
): Readonly<Record<string, unknown>> {
  if (shell.unknowns.length > 0) return {}
  return known({
    programs: programsOf(shell),
    // Anyone who described the call knows where its paths lead; else they are as they are written.
    reads: shellReads === undefined ? readsOf(shell) : (shellReads ?? undefined),
    writes: writesOf(shell, shellFiles),
    hosts: hostsOf(shell),
    variables: variablesOf(shell),
  })
}

/** A call that is no command runs, reads and reaches nothing by one. */
export const noCommand = { programs: [], reads: [], writes: [], hosts: [], variables: [] } as const

function known(lists: Record<string, readonly string[] | undefined>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list !== undefined))
}

function programsOf({ commands }: ShellFindings): readonly string[] | undefined {
  const names = commands.map(({ words }) => words[0])
  if (names.some((name) => typeof name !== 'string')) return undefined
  return unique(names.flatMap((name) => (typeof name === 'string' ? [baseName(name)] : [])))
}

function writesOf(shell: ShellFindings, placed: readonly string[]): readonly string[] | undefined {
  const isKnown = shell.writes.every(({ path, how }) => path !== null || how === 'state')
  return isKnown ? unique([...visibleWrites(shell), ...placed]) : undefined
}

function variablesOf({ environment }: ShellFindings): readonly string[] | undefined {
  if (environment.some(({ names }) => names === null)) return undefined
  return unique(environment.flatMap(({ names }) => names ?? []))
}

function unique(list: readonly string[]): readonly string[] {
  return [...new Set(list)]
}

import { normalize, relative } from 'node:path'
import {
  type Machine,
  type MachineEvidence,
  provableFacts,
  runnerFiles,
  type ToolCall,
} from '@statewright/core/internal'
import { programFiles } from './runner-programs.ts'
import { scriptsOf, scriptWords } from './script-words.ts'
import { workspaceFiles } from './workspace-files.ts'

type Fact = Pick<MachineEvidence, 'command' | 'definedBy' | 'takesRunnerFiles'>

/**
 * The files that say what the command of a fact does (WF-31, WF-31c), against the root: those that
 * the author names, and those of a known test runner that the command starts, also one step on
 * through a script. Null where nobody names any.
 */
export function definingFiles(
  { command, definedBy, takesRunnerFiles }: Fact,
  root: string,
  files: readonly string[],
): string[] | null {
  const words = takesRunnerFiles ? reachedWords(command ?? [], root) : []
  const runner = runnerFiles(words)
  const started = takesRunnerFiles ? startedFiles(command ?? [], root, files) : []
  if (definedBy.length === 0 && runner === null && started.length === 0) return null
  const globs = runner === null ? definedBy : [...definedBy, runner.matches]
  const matching = files.filter((file) => globs.some((matches) => matches(file)))
  const named = [...new Set([...matching, ...started])]
  if (runner === null) return named.sort()
  const programs = programFiles({ words, known: runner.programs }, root)
  return [...new Set([...named, ...programs.map((path) => relative(root, path))])].sort()
}

/** Scripts of the project that the command starts, or a script of its package in turn. */
function startedFiles(
  command: readonly string[],
  root: string,
  files: readonly string[],
): string[] {
  const known = new Set(files)
  return scriptsOf(command, root)
    .map((script) => normalize(script))
    .filter((script) => known.has(script))
}

/** Of the command, and of the scripts that it names in turn. */
function reachedWords(command: readonly string[], root: string): string[] {
  return [...new Set([...command, ...scriptWords(command, root)])]
}

/** A fact, and the files whose change makes it a matter for a person, as people are told. */
export interface DefinedFact {
  readonly evidence: string
  readonly defined_by: readonly string[]
}

/** What a call would prove. */
export function factsOfCall(machine: Machine, call: ToolCall, root: string): DefinedFact[] {
  return definedFacts(provableFacts(machine, call), root)
}

export function definedFacts(facts: Iterable<MachineEvidence>, root: string): DefinedFact[] {
  let files: readonly string[] | undefined
  return [...facts].map((fact) => {
    files ??= workspaceFiles(root) ?? []
    return { evidence: fact.name, defined_by: definingFiles(fact, root, files) ?? [] }
  })
}

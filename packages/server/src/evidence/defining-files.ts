import { relative } from 'node:path'
import {
  type Machine,
  type MachineEvidence,
  provableFacts,
  runnerFiles,
  type ToolCall,
} from '@statewright/core/internal'
import { reachedFiles } from './reached-files.ts'
import { programFiles } from './runner-programs.ts'
import { workspaceFiles } from './workspace-files.ts'

type Fact = Pick<MachineEvidence, 'command' | 'definedBy' | 'takesRunnerFiles' | 'staleAfter'>

/**
 * The files that say what the command of a fact does (WF-31, WF-31c), against the root: those that
 * the author names, those of a known test runner that the command starts, and every file that
 * is reached from there. Null where nobody names any.
 */
export function definingFiles(fact: Fact, root: string, files: readonly string[]): string[] | null {
  const { command, definedBy, takesRunnerFiles } = fact
  const named = (file: string) => definedBy.some((matches) => matches(file))
  if (!takesRunnerFiles) return definedBy.length === 0 ? null : files.filter(named)
  const isSource = (file: string) =>
    isTest(file) || fact.staleAfter.some((matches) => matches(file))
  const reach = { root, files, isSource }
  const first = reachedFiles(command ?? [], [], reach)
  const runner = runnerFiles([...(command ?? []), ...first.words])
  const configured = runner === null ? [] : files.filter(runner.matches)
  const reached = reachedFiles(command ?? [], configured, reach)
  if (definedBy.length === 0 && runner === null && reached.files.length === 0) return null
  const programs =
    runner === null ? [] : programFiles({ words: reached.words, known: runner.programs }, root)
  const all = [...files.filter(named), ...configured, ...reached.files]
  return [...new Set([...all, ...programs.map((path) => relative(root, path))])].sort()
}

/** Tests are what `stale_after` is for: anyone who may change them needs no other file. */
function isTest(file: string): boolean {
  return (
    /(?:^|\/)(?:tests?|__tests__|__mocks__|specs?|e2e|fixtures|testdata)\//.test(file) ||
    /[._-](?:test|spec|cy|e2e)s?\.[^/]+$|(?:^|\/)test_[^/]*\.py$/.test(file)
  )
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

import { type CompiledGlob, compileGlob } from '../call/glob.ts'
import { runnerFiles } from '../call/test-runners.ts'
import { allowsTool, compileToolList } from '../call/tool-pattern.ts'
import { type Finding, finding } from '../definition/finding.ts'
import { quote } from '../definition/parse/wording.ts'
import type { EvidenceDefinition } from '../definition/workflow-schema.ts'
import { splitCommandWords } from '../shell/command-words.ts'
import type { CheckContext } from './check-context.ts'

/**
 * Evidence that no edit makes stale proves what was true once (WF-31b). Where the files of the
 * project are known, the patterns are held against them.
 */
export function checkEvidence({ definition, graph, files = [] }: CheckContext): Finding[] {
  const facts = Object.entries(definition.evidence ?? {})
  if (facts.length === 0 || !mayEdit(graph)) return []
  const findings: Finding[] = []
  const covered = new Set<string>()
  for (const [name, fact] of facts) {
    const { stale_after = [], defined_by = [] } = fact
    const stale = matchedBy(stale_after, files)
    const runner = files.filter(isRunnerFile(fact))
    for (const file of [...stale, ...matchedBy(defined_by, files), ...runner]) covered.add(file)
    const path = ['evidence', name]
    if (stale_after.length === 0) {
      const message = `No edit makes ${quote(name)} stale: it has no "stale_after".`
      findings.push(finding('evidence_covers_nothing', path, message))
    } else if (files.length > 0 && stale.length === 0) {
      const message = `No edit makes ${quote(name)} stale: no file here matches "stale_after".`
      findings.push(finding('evidence_covers_nothing', [...path, 'stale_after'], message))
    }
  }
  return [...findings, ...leftOut(files, covered)]
}

/** Files of a kind that evidence covers elsewhere: a folder was probably forgotten. */
function leftOut(files: readonly string[], covered: ReadonlySet<string>): Finding[] {
  const kinds = new Set([...covered].map(kindOf))
  const [first, ...more] = files.filter((file) => !covered.has(file) && kinds.has(kindOf(file)))
  if (first === undefined) return []
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`
  const why = 'leaves all evidence fresh: no "stale_after" matches.'
  return [finding('evidence_leaves_out', ['evidence'], `Editing ${quote(first)}${others} ${why}`)]
}

/** An edit of it needs a person (WF-31c). */
function isRunnerFile({ command = '', runner_files }: EvidenceDefinition): CompiledGlob {
  const runner = runner_files === false ? null : runnerFiles(splitCommandWords(command))
  return runner?.matches ?? (() => false)
}

function kindOf(file: string): string {
  return file.slice(file.lastIndexOf('.'))
}

function matchedBy(patterns: readonly string[], files: readonly string[]): string[] {
  const globs = patterns.map(compileGlob)
  return files.filter((file) => globs.some((matches) => matches(file)))
}

function mayEdit({ states }: CheckContext['graph']): boolean {
  for (const [, { type, allowed_tools }] of states) {
    if (type === 'final') continue
    if (allowed_tools === undefined) return true
    const tools = compileToolList(allowed_tools)
    if (['Edit', 'Write'].some((tool) => allowsTool(tools, { tool }))) return true
  }
  return false
}

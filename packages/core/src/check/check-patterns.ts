import { globFault } from '../call/glob.ts'
import { toolEntryFault } from '../call/tool-pattern.ts'
import { type Finding, finding, type Path } from '../definition/finding.ts'
import { quote } from '../definition/parse/wording.ts'
import type { CheckContext } from './check-context.ts'

/** Globs and tool patterns that would match nothing (WF-3, WF-6, WF-30). */
export function checkPatterns({ definition, graph }: CheckContext): Finding[] {
  const findings: Finding[] = []
  for (const [name, state] of graph.states) {
    for (const [index, entry] of (state.allowed_tools ?? []).entries()) {
      const fault = toolEntryFault(entry)
      if (fault === undefined) continue
      const path = ['states', name, 'allowed_tools', index]
      findings.push(finding('invalid_tool_pattern', path, `${quote(entry)}: ${fault}.`))
    }
  }
  const expectGlob = (pattern: string, path: Path) => {
    const fault = workspaceGlobFault(pattern)
    if (fault !== undefined) {
      findings.push(finding('invalid_glob', path, `${quote(pattern)}: ${fault}.`))
    }
  }
  for (const [name, { trigger }] of Object.entries(definition.interrupts ?? {})) {
    if (trigger.file_pattern === undefined) continue
    expectGlob(trigger.file_pattern, ['interrupts', name, 'trigger', 'file_pattern'])
  }
  for (const [name, fact] of Object.entries(definition.evidence ?? {})) {
    for (const list of ['stale_after', 'defined_by'] as const) {
      for (const [index, pattern] of (fact[list] ?? []).entries()) {
        expectGlob(pattern, ['evidence', name, list, index])
      }
    }
  }
  return findings
}

/**
 * Why a glob can match no path of a workspace, or undefined. Paths are relative and use `/`
 * (WF-30), so a pattern that is not would stay silent for ever.
 */
function workspaceGlobFault(pattern: string): string | undefined {
  if (pattern.startsWith('/') || /^[A-Za-z]:/.test(pattern)) {
    return 'paths are relative to the workspace; leave out the leading part'
  }
  return globFault(pattern) ?? bracketFault(pattern)
}

/** Brackets stand for themselves, as in `app/[id]/page.tsx`; half a pair is a slip of the pen. */
function bracketFault(pattern: string): string | undefined {
  const opened = pattern.split('[').length
  const closed = pattern.split(']').length
  return opened === closed ? undefined : 'a bracket has no matching bracket'
}

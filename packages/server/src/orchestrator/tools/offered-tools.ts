import {
  allowsTool,
  canonicalTool,
  shellPatterns,
  type ToolList,
  toolRef,
} from '@statewright/core/internal'
import type { ToolDefinition } from '../ports.ts'

const patchTools: ReadonlySet<string> = new Set(['apply_patch', 'git_apply'])

/**
 * The tools that a state can allow: others would only be denied, and cost their description in
 * each request. Null is a state that lists none, where every tool may be used (SE-11e).
 */
export function offeredTools(
  definitions: readonly ToolDefinition[],
  list: ToolList | null,
): readonly ToolDefinition[] {
  if (list === null) return definitions
  const allows = (tool: string) => allowsTool(list, { tool })
  return definitions.filter(({ name }) => {
    if (allowsTool(list, toolRef(name))) return true
    // A patch is judged by what it does to each file.
    if (patchTools.has(name)) return allows('Edit') || allows('Write')
    if (canonicalTool(name) !== 'Bash') return false
    // A state without a shell may read by one, or lists commands alone.
    return allows('Read') || shellPatterns(list).length > 0
  })
}

/** How the names of rules are called among the tools at hand: `Read` is `read_file`. */
export function toolNamesLine(definitions: readonly ToolDefinition[]): string {
  const names = Map.groupBy(definitions, ({ name }) => canonicalTool(name))
  const pairs = [...names]
    .filter(([rule, tools]) => tools.some(({ name }) => name !== rule))
    .map(([rule, tools]) => `${rule} is ${tools.map(({ name }) => name).join(' or ')}`)
  return pairs.length === 0 ? '' : `Names of tools in these rules: ${pairs.join('; ')}.`
}

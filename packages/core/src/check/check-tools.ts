import { isOwnTool } from '../call/own-tools.ts'
import { clientTools, mcpPrefix, toolRef } from '../call/tool-names.ts'
import { type Finding, finding } from '../definition/finding.ts'
import { quote } from '../definition/parse/wording.ts'
import type { CheckContext } from './check-context.ts'

/**
 * Names in `allowed_tools` that no known tool has (WF-6d). Clients and programs have tools that
 * nobody told us of, so that only a name near a known one is spoken of; of a server whose tools are
 * known, every name that it does not offer.
 */
export function checkTools({ graph, tools, hint }: CheckContext): Finding[] {
  const offered = new Map((tools ?? []).map((one) => [one.server, one.tools] as const))
  const listed = (tools ?? []).flatMap((one) => [...one.listed, ...wholeNames(one)])
  const findings: Finding[] = []
  for (const [state, { allowed_tools: entries }] of graph.states) {
    for (const [index, entry] of (entries ?? []).entries()) {
      const message = faultOf(entry, { offered, listed, hint })
      if (message === undefined) continue
      findings.push(finding('unknown_tool', ['states', state, 'allowed_tools', index], message))
    }
  }
  return findings
}

/** Tools of clients that are in no table, since each stands for itself, and look like others. */
const alone = ['LSP', 'TaskList', 'TaskGet', 'TaskStop', 'TaskCreate', 'TaskUpdate', 'TodoRead']

const known: ReadonlySet<string> = new Set([...clientTools, ...alone])

interface ToolLists {
  readonly offered: ReadonlyMap<string, readonly string[]>
  readonly listed: readonly string[]
  readonly hint: CheckContext['hint']
}

function faultOf(entry: string, { offered, listed, hint }: ToolLists): string | undefined {
  if (/[*()\s]/.test(entry) || known.has(entry) || listed.includes(entry)) return undefined
  const { server, tool } = toolRef(entry)
  const tools = server === undefined ? undefined : offered.get(server)
  if (server !== undefined && tools !== undefined) {
    if (tools.includes(tool)) return undefined
    return `The server ${quote(server)} offers no tool ${quote(tool)}.${hint(tool, tools)}`
  }
  if (isOwnTool({ tool: entry }, true)) return undefined
  const near = hint(entry, [...clientTools, ...listed])
  return near === '' ? undefined : `No tool is known as ${quote(entry)}.${near}`
}

function wholeNames({ server, tools }: { server: string; tools: readonly string[] }): string[] {
  return tools.flatMap((tool) => [`${mcpPrefix}${server}__${tool}`, `${server}__${tool}`])
}

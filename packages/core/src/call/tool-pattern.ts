import { unreachable } from '../base/invariant.ts'
import type { CommandPattern } from '../shell/rules.ts'
import { canonicalTool, isClientTool, mcpPrefix, type ToolRef, toolRef } from './tool-names.ts'

/** The beginning of a name. `server` is exact when the pattern names the whole of it. */
export interface ToolPrefix {
  readonly kind: 'own_tools_of_client' | 'tools_of_server' | 'servers'
  readonly server: string
  readonly tool: string
}

/** An `allowed_tools` list, compiled once. */
export interface ToolList {
  readonly any: boolean
  /** Canonical names of a client's own tools. */
  readonly names: ReadonlySet<string>
  /** The same as they are written, for tools behind our gateway: no alias leads to those. */
  readonly written: ReadonlySet<string>
  /** Tools of MCP servers, by `serverToolKey`. */
  readonly serverTools: ReadonlySet<string>
  readonly prefixes: readonly ToolPrefix[]
  readonly commandPatterns: readonly CommandPattern[]
}

/** The list of a state that names no tools: everything passes it (WF-5). */
const everyTool: ToolList = {
  any: true,
  names: new Set(),
  written: new Set(),
  serverTools: new Set(),
  prefixes: [],
  commandPatterns: [],
}

export function compileToolList(entries: readonly string[] | undefined): ToolList {
  if (entries === undefined) return everyTool
  const names = new Set<string>()
  const written = new Set<string>()
  const serverTools = new Set<string>()
  const prefixes: ToolPrefix[] = []
  const commandPatterns: CommandPattern[] = []
  let any = false
  for (const entry of entries) {
    const compiled = compileEntry(entry)
    if (compiled === undefined) continue
    if (compiled === 'any') any = true
    else if ('words' in compiled) commandPatterns.push(compiled)
    else if ('kind' in compiled) prefixes.push(compiled)
    else if (compiled.server === undefined) {
      names.add(canonicalTool(compiled.tool))
      written.add(compiled.tool)
    } else serverTools.add(serverToolKey(compiled.server, compiled.tool))
  }
  return { any, names, written, serverTools, prefixes, commandPatterns }
}

/** Whether the list names the tool as a whole; commands of a shell are another question. */
export function allowsTool(list: ToolList, ref: ToolRef): boolean {
  if (list.any || namesTool(list, ref)) return true
  return list.prefixes.some((prefix) => coversTool(prefix, ref))
}

/** Commands that are allowed though the list does not allow the shell itself; none when it does. */
export function shellPatterns(list: ToolList): readonly CommandPattern[] {
  return allowsTool(list, { tool: 'Bash' }) ? [] : list.commandPatterns
}

/** Why an entry would never match anything, or undefined. Such an entry is a mistake. */
export function toolEntryFault(entry: string): string | undefined {
  if (compileEntry(entry) !== undefined) return undefined
  if (/[()]/.test(entry)) {
    return 'only a shell takes a command, as in "Bash(git log *)", with its star at the end'
  }
  if (entry.includes('*')) return 'a star may only stand at the end, as in "mcp__github__*"'
  return 'it names no tool; all tools of a server are "mcp__server__*"'
}

type CompiledEntry = 'any' | ToolRef | ToolPrefix | CommandPattern

function compileEntry(entry: string): CompiledEntry | undefined {
  if (entry === '*') return 'any'
  const command = /^([^()]*)\((.*)\)$/s.exec(entry)
  if (command !== null) return compileCommand(command[1] ?? '', command[2] ?? '')
  if (/[()\s]/.test(entry) || entry === '') return undefined
  const star = entry.indexOf('*')
  if (star < 0) {
    const ref = toolRef(entry)
    return ref.tool === '' ? undefined : ref
  }
  return star === entry.length - 1 ? compilePrefix(entry.slice(0, -1)) : undefined
}

function compileCommand(tool: string, text: string): CompiledEntry | undefined {
  if (canonicalTool(tool) !== 'Bash') return undefined
  const trimmed = text.trim()
  if (trimmed === '*' || trimmed === ':*') return { tool: 'Bash' }
  const prefix = /^(.*)(?:\s\*|:\*)$/s.exec(trimmed)?.[1]
  const words = (prefix ?? trimmed).trim().split(/\s+/)
  // A star inside a word would be compared as a plain character, which nobody means.
  if (words[0] === '' || words.some((word) => word.includes('*'))) return undefined
  return { words, exact: prefix === undefined }
}

function compilePrefix(text: string): ToolPrefix {
  if (text.startsWith(mcpPrefix)) {
    const rest = text.slice(mcpPrefix.length)
    const end = rest.indexOf('__')
    if (end < 0) return { kind: 'servers', server: rest, tool: '' }
    return { kind: 'tools_of_server', server: rest.slice(0, end), tool: rest.slice(end + 2) }
  }
  const dot = text.indexOf('.')
  if (dot > 0) {
    return { kind: 'tools_of_server', server: text.slice(0, dot), tool: text.slice(dot + 1) }
  }
  return { kind: 'own_tools_of_client', server: '', tool: text }
}

/**
 * Server and tool are compared apart: a server called `github__evil` would otherwise be covered by
 * `mcp__github__*` once its name is joined to the tool's.
 */
function coversTool(prefix: ToolPrefix, ref: ToolRef): boolean {
  switch (prefix.kind) {
    case 'own_tools_of_client':
      // Canonical names only: `s*` must not open the shell where a client calls it `shell`.
      if (ref.server === undefined) return canonicalTool(ref.tool).startsWith(prefix.tool)
      // A tool behind us is covered by the beginning of its whole name alone, server included.
      return ref.listed !== undefined && coversListed(prefix.tool, ref.server, ref.tool)
    case 'tools_of_server':
      return ref.server === prefix.server && ref.tool.startsWith(prefix.tool)
    case 'servers':
      return ref.server?.startsWith(prefix.server) ?? false
    default:
      return unreachable(prefix.kind)
  }
}

function coversListed(beginning: string, server: string, tool: string): boolean {
  const whole = `${server}__`
  return beginning.startsWith(whole) && tool.startsWith(beginning.slice(whole.length))
}

function namesTool(list: ToolList, ref: ToolRef): boolean {
  const { server, tool, listed } = ref
  if (server === undefined) return list.names.has(canonicalTool(tool))
  if (list.serverTools.has(serverToolKey(server, tool))) return true
  if (listed === undefined) return false
  // A name that clients have for their own tools means theirs, also where a server took it.
  const isNamed = list.written.has(listed) && !isClientTool(listed)
  return isNamed || list.written.has(`${server}__${tool}`)
}

/** The length in front keeps `a` + `bc` apart from `ab` + `c`, whatever the names hold. */
function serverToolKey(server: string, tool: string): string {
  return `${server.length}:${server}${tool}`
}

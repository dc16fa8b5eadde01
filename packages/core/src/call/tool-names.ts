import { isJsonObject } from '../base/json.ts'

/** A tool as a call names it. `server` is set for tools of an MCP server. */
export interface ToolRef {
  readonly tool: string
  readonly server?: string
  /** Of a tool behind our gateway: the name under which it is listed there. */
  readonly listed?: string
}

/** The names that definitions use for tools every client has in some form. */
export type CanonicalTool =
  | 'Read'
  | 'Edit'
  | 'Write'
  | 'NotebookEdit'
  | 'Bash'
  | 'Grep'
  | 'Glob'
  | 'WebFetch'
  | 'WebSearch'
  | 'Agent'
  | 'TodoWrite'
  | 'Skill'

/**
 * The published alias table (WF-6): what the clients call the same tool, spelled exactly. One
 * workflow serves every client because lists and calls are both read through it.
 */
export const toolAliases: Readonly<Record<CanonicalTool, readonly string[]>> = {
  Read: ['read', 'read_file', 'read_many_files', 'view', 'view_image', 'NotebookRead'],
  Edit: [
    'edit',
    'edit_file',
    'MultiEdit',
    'multiedit',
    'apply_patch',
    'patch',
    'git_apply',
    'replace',
    'search_replace',
    'str_replace',
    'str_replace_editor',
    'str_replace_based_edit_tool',
    'replace_string_in_file',
    'multi_replace_string_in_file',
    'Delete',
    'delete_file',
  ],
  Write: ['write', 'write_file', 'write_to_file', 'create', 'create_file'],
  NotebookEdit: ['notebook_edit', 'edit_notebook'],
  // What types into a running shell is a shell: it has no readable command and is judged so.
  Bash: [
    'bash',
    'Shell',
    'shell',
    'local_shell',
    'shell_command',
    'run_command',
    'run_shell_command',
    'run_terminal_cmd',
    'run_in_terminal',
    'execute_command',
    'exec_command',
    'container.exec',
    'write_stdin',
    'write_bash',
    'Monitor',
    'PowerShell',
    'powershell',
    'write_powershell',
  ],
  Grep: ['grep', 'search', 'grep_search', 'search_file_content'],
  Glob: ['glob', 'list_files', 'file_search', 'list', 'list_dir', 'list_directory', 'LS', 'ls'],
  WebFetch: ['webfetch', 'web_fetch', 'fetch_webpage'],
  WebSearch: ['websearch', 'web_search', 'google_web_search'],
  Agent: ['agent', 'Task', 'task', 'spawn_agent', 'multi_agent_v1.spawn_agent', 'invoke_agent'],
  TodoWrite: ['todowrite', 'write_todos', 'update_plan'],
  Skill: ['skill', 'activate_skill'],
}

const canonicalByName: ReadonlyMap<string, CanonicalTool> = new Map(
  Object.entries(toolAliases).flatMap(([canonical, aliases]) =>
    // The table's keys are the canonical names; `Object.entries` forgets that.
    [canonical, ...aliases].map((name) => [name, canonical as CanonicalTool] as const),
  ),
)

const canonicalByFoldedName: ReadonlyMap<string, CanonicalTool> = new Map(
  [...canonicalByName].map(([name, canonical]) => [lowerAscii(name), canonical] as const),
)

const capabilityByName: ReadonlyMap<string, string> = new Map(
  [...canonicalByName].map(([name, canonical]) => [name, lowerAscii(canonical)] as const),
)

const capabilityByFoldedName: ReadonlyMap<string, string> = new Map(
  [...canonicalByFoldedName].map(([name, canonical]) => [name, lowerAscii(canonical)] as const),
)

/** Whether a name, in whatever case, is one of the table: a client's own tool may have it. */
export function isClientTool(name: string): boolean {
  return canonicalByFoldedName.has(lowerAscii(name))
}

/** Every name of the table. */
export const clientTools: readonly string[] = [...canonicalByName.keys()]

/** The canonical name of a client's own tool; a name outside the table stands for itself. */
export function canonicalTool(name: string): string {
  return canonicalByName.get(name) ?? name
}

/**
 * The known tool whose limits hold for a call, or undefined. Case does not matter here, unlike in
 * `canonicalTool`: `BASH` is on no list, but where any tool passes it must still be judged as a
 * shell.
 */
export function judgedTool(ref: ToolRef): CanonicalTool | undefined {
  if (ref.server !== undefined) return undefined
  return canonicalByName.get(ref.tool) ?? canonicalByFoldedName.get(lowerAscii(ref.tool))
}

/**
 * Reads a name as a client spells it. `mcp__server__tool` is split at the first `__`, and
 * `server.tool` at its dot unless the whole is a client's own tool; a server that the client names
 * beside the tool wins over both.
 */
export function toolRef(name: string, server?: string): ToolRef {
  if (server !== undefined) return { tool: withoutServerPrefix(name, server), server }
  if (canonicalByName.has(name)) return { tool: name }
  if (name.startsWith(mcpPrefix)) {
    const rest = name.slice(mcpPrefix.length)
    const end = rest.indexOf('__')
    if (end < 0) return { tool: '', server: rest }
    return { tool: rest.slice(end + 2), server: rest.slice(0, end) }
  }
  const dot = name.indexOf('.')
  if (dot > 0 && dot < name.length - 1) {
    return { tool: name.slice(dot + 1), server: name.slice(0, dot) }
  }
  return { tool: name }
}

/** How a tool is called in a policy: `mcp:<server>:<tool>`, or the lower-case canonical name. */
export function capabilityOf(ref: ToolRef): string {
  if (ref.server !== undefined) return withColons(`mcp:${ref.server}:${ref.tool}`)
  const known = capabilityByName.get(ref.tool)
  if (known !== undefined) return known
  const folded = lowerAscii(ref.tool)
  return capabilityByFoldedName.get(folded) ?? withColons(folded)
}

/** How a person reads a tool's name: the way Claude Code and Codex spell it. */
export function displayTool(ref: ToolRef): string {
  return ref.server === undefined ? ref.tool : `${mcpPrefix}${ref.server}__${ref.tool}`
}

export const mcpPrefix = 'mcp__'

/** `.` and `:` separate the parts of a capability alike (PO-3). */
export function withColons(path: string): string {
  return path.includes('.') ? path.replaceAll('.', ':') : path
}

/**
 * Lower-cases ASCII letters only. `toLowerCase` would make the Kelvin sign a `k`, and so a
 * look-alike of a known name that name.
 */
export function lowerAscii(text: string): string {
  if (/^[ -~]*$/.test(text)) return text.toLowerCase()
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

function withoutServerPrefix(name: string, server: string): string {
  const prefix = `${mcpPrefix}${server}__`
  return name.startsWith(prefix) ? name.slice(prefix.length) : name
}

/** What a tool of a name that no client uses may be, by the names of its arguments (WF-6e). */
export type Resembles = 'shell' | 'editor'

const commands: ReadonlySet<string> = new Set([
  ...['command', 'commands', 'cmd', 'commandline', 'shell', 'script', 'code', 'bash'],
])
const pathFields: ReadonlySet<string> = new Set([
  ...['path', 'file', 'filepath', 'filename', 'targetfile', 'absolutepath', 'relativepath'],
  ...['notebookpath', 'uri', 'relativeworkspacepath'],
])
const contents: ReadonlySet<string> = new Set([
  ...['content', 'contents', 'text', 'newstring', 'newstr', 'newtext', 'replacement', 'codeedit'],
  ...['edits', 'changes', 'insert', 'inserttext', 'filetext', 'lines', 'explanationandcode'],
])
const patches: ReadonlySet<string> = new Set(['patch', 'diff', 'diffs', 'unifieddiff'])

export function resembles(ref: ToolRef, input: unknown): Resembles | undefined {
  if (ref.server !== undefined || judgedTool(ref) !== undefined || !isJsonObject(input)) {
    return undefined
  }
  const names = Object.keys(input).map((name) => lowerAscii(name).replaceAll(/[^a-z]/g, ''))
  const has = (known: ReadonlySet<string>) => names.some((name) => known.has(name))
  if (has(commands)) return 'shell'
  return has(patches) || (has(pathFields) && has(contents)) ? 'editor' : undefined
}

import { unreachable } from '../base/invariant.ts'
import { fileWriters } from '../call/server-writes.ts'
import type { ToolList, ToolPrefix } from '../call/tool-pattern.ts'
import type { SampleCall } from './sample-call.ts'

/** What a definition names that a file may be changed with. */
export interface EditingNames {
  readonly tools: readonly string[]
  /** Commands that states let through from their first words on. */
  readonly commands: readonly string[]
  /** Those that stand in a list of tools: they may write even where no other command may. */
  readonly listed: readonly string[]
}

/** Ways to change a file: by each tool that edits, by tools of servers, and by the shell. */
export function editsOf(file: string, { tools, commands, listed }: EditingNames): SampleCall[] {
  const quoted = /^[\w./-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`
  return [
    { tool: 'Edit', input: { file_path: file, old_string: 'a', new_string: 'b' } },
    { tool: 'Write', input: { file_path: file, content: 'x' } },
    { tool: 'NotebookEdit', input: { notebook_path: file, new_source: 'x' } },
    bash(`touch ${quoted}`),
    ...commands.map((command) => bash(`${command} > ${quoted}`)),
    ...listed.flatMap((command) =>
      argumentsWith(quoted).map((words) => ({ ...bash(`${command} ${words}`), isGuess: true })),
    ),
    ...tools.filter((tool) => tool.startsWith('mcp__')).map((tool) => serverEdit(tool, file)),
  ]
}

export function bash(command: string): SampleCall {
  return { tool: 'Bash', input: { command } }
}

/** Where a program may want the name of a file that it writes: `tee F`, `cp a F`, `sed -i x F`. */
function argumentsWith(file: string): string[] {
  return [file, `a ${file}`, `s/a/b/ ${file}`, `of=${file}`, `-o ${file}`, `--output=${file}`]
}

function serverEdit(tool: string, file: string): SampleCall {
  const isMove = /__(?:move|rename|copy)/.test(tool)
  const input = isMove ? { source: 'a', destination: file } : { path: file, content: 'x' }
  return { tool, input }
}

/** The tools that a list means, one for each star, and of servers one that writes files as well. */
export function toolsOfList({ names, serverTools, prefixes }: ToolList): string[] {
  const exact = [...serverTools].map((key) => {
    const colon = key.indexOf(':')
    const length = Number(key.slice(0, colon))
    const [name, tool] = [key.slice(colon + 1, colon + 1 + length), key.slice(colon + 1 + length)]
    return `mcp__${name}__${tool}`
  })
  return [...names, ...exact, ...prefixes.flatMap(toolsOfStar)]
}

function toolsOfStar({ kind, server, tool }: ToolPrefix): string[] {
  switch (kind) {
    case 'own_tools_of_client':
      return [`${tool}any`]
    case 'servers':
      return [`mcp__${server}any__any`, `mcp__${server}any__write_file`]
    case 'tools_of_server': {
      const writer = fileWriters.find((name) => name.startsWith(tool))
      return [`${tool}any`, ...(writer === undefined ? [] : [writer])].map(
        (name) => `mcp__${server}__${name}`,
      )
    }
    default:
      return unreachable(kind)
  }
}

import { oneLine } from '../base/cut.ts'
import { isJsonObject, type Json } from '../base/json.ts'
import { canonicalTool, displayTool, toolRef } from '../call/tool-names.ts'
import { baseName } from '../run/shell-words.ts'
import type { ToolCall } from '../run/tool-call.ts'

const maxLine = 200

/** What a command is mainly, not the folder that it goes to first; else the tool. */
export function programOf({ shell, tool, server }: ToolCall): string {
  if (shell === undefined) return server === undefined ? canonicalTool(tool) : `${server}:${tool}`
  const commands = shell.commands.filter(({ words: [name] }) => !steering.has(name ?? ''))
  const main = commands.find(({ kind }) => kind === 'other') ?? commands[0] ?? shell.commands[0]
  const [name, verb] = main?.words ?? []
  if (typeof name !== 'string') return canonicalTool(tool)
  const program = oneLine(baseName(name), maxProgram)
  const isVerb = typeof verb === 'string' && /^[a-z][a-z-]{1,20}$/.test(verb)
  return withVerbs.has(program) && isVerb ? `${program} ${verb}` : program
}

const maxProgram = 60
const steering: ReadonlySet<string> = new Set(['cd', 'pushd', 'export', 'set', 'true', ''])
const withVerbs: ReadonlySet<string> = new Set(
  `git gh npm pnpm yarn npx cargo go pip uv docker podman kubectl helm terraform make apt
  brew`.split(/\s+/),
)

/** A call on one line: its command, its files, or what its input says. */
export function lineOf(call: ToolCall, input?: unknown): string {
  const { shell, edits, reads, args } = call
  if (shell !== undefined) return oneLine(shell.command, maxLine)
  const tool = displayTool(toolRef(call.tool, call.server))
  const files = [...(edits ?? []).map(({ path }) => path), ...(reads ?? [])]
  if (files.length > 0) return oneLine(`${tool} ${[...new Set(files)].join(', ')}`, maxLine)
  const values = isJsonObject(input) ? input : args
  return oneLine(
    values === undefined || values === null ? tool : `${tool} ${words(values)}`,
    maxLine,
  )
}

/** The values that fit on a line, each with its name. */
function words(input: Readonly<Record<string, Json>>): string {
  const named = Object.entries(input).map(([name, value]) => {
    return `${name}: ${typeof value === 'string' ? value : (JSON.stringify(value) ?? '')}`
  })
  return named.join(', ')
}

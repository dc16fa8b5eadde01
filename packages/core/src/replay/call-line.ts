import { cut } from '../base/cut.ts'
import { isJsonObject, type Json } from '../base/json.ts'
import { displayTool, toolRef } from '../call/tool-names.ts'
import { baseName } from '../run/shell-words.ts'
import type { ToolCall } from '../run/tool-call.ts'

const maxLine = 200

/** The first program of a command, else the tool: what a reader groups calls by. */
export function programOf({ tool, server, shell }: ToolCall): string {
  const word = shell?.commands[0]?.words[0]
  return typeof word === 'string' && word !== ''
    ? baseName(word)
    : displayTool(toolRef(tool, server))
}

/** A call on one line: its command, its files, or what its input says. */
export function lineOf(call: ToolCall, input?: unknown): string {
  const { shell, edits, reads, args } = call
  if (shell !== undefined) return oneLine(shell.command)
  const tool = displayTool(toolRef(call.tool, call.server))
  const files = [...(edits ?? []).map(({ path }) => path), ...(reads ?? [])]
  if (files.length > 0) return oneLine(`${tool} ${[...new Set(files)].join(', ')}`)
  const values = isJsonObject(input) ? input : args
  return oneLine(values === undefined || values === null ? tool : `${tool} ${words(values)}`)
}

/** The values that fit on a line, each with its name. */
function words(input: Readonly<Record<string, Json>>): string {
  const named = Object.entries(input).map(([name, value]) => {
    return `${name}: ${typeof value === 'string' ? value : (JSON.stringify(value) ?? '')}`
  })
  return named.join(', ')
}

function oneLine(text: string): string {
  return cut(text.replaceAll(/\s+/g, ' ').trim(), maxLine)
}

import { isJsonObject } from '../base/json.ts'
import { judgedTool, lowerAscii, type ToolRef } from './tool-names.ts'

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

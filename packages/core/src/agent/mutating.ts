import { isJsonObject, type Json } from '../base/json.ts'
import { own } from '../base/own.ts'
import { judgedTool, toolRef } from '../call/tool-names.ts'
import { analyzeArgv, analyzeShell } from '../shell/analyze.ts'
import { isOnlyReading } from '../shell/questions.ts'

/** A hook that commits finds nothing to commit after them, and would end the session. */
const readingGit: ReadonlySet<string> = new Set(['git_status', 'git_diff'])
const editing: ReadonlySet<string> = new Set(['Edit', 'Write', 'NotebookEdit'])

/**
 * Whether a call counts as changing something, so that hooks follow it and no retry comes by
 * itself, under whichever name a client has for it. Tools we do not know change nothing unless
 * their adapter says so.
 */
export function isMutatingCall(name: string, args: Json, unknown = false): boolean {
  const tool = judgedTool(toolRef(name))
  if (tool === 'Bash') return !onlyReads(args)
  if (tool !== undefined) return editing.has(tool)
  if (name.startsWith('git_')) return !readingGit.has(name)
  return unknown
}

/** A command that provably only reads is not mutating (SH-10); whatever is unclear is. */
function onlyReads(args: Json): boolean {
  if (!isJsonObject(args)) return false
  const command = own(args, 'command')
  const more = own(args, 'args')
  if (typeof command === 'string' && more === undefined) return isOnlyReading(analyzeShell(command))
  // `find` is harmless and `find . -delete` is not, so words in a second list count as well.
  const words = [command, more ?? []].flat()
  const texts = words.filter((word) => typeof word === 'string')
  return texts.length === words.length && isOnlyReading(analyzeArgv(texts))
}

import { isJsonObject, type Json } from '../base/json.ts'
import { own } from '../base/own.ts'
import { analyzeArgv, analyzeShell } from '../shell/analyze.ts'
import { isOnlyReading } from '../shell/questions.ts'

const reading: ReadonlySet<string> = new Set([
  'read_file',
  'list_files',
  'grep',
  'search',
  // A hook that commits finds nothing to commit after them, and would end the session.
  'git_status',
  'git_diff',
])
const editing: ReadonlySet<string> = new Set(['edit_file', 'write_file', 'apply_patch'])
const shells: ReadonlySet<string> = new Set(['bash', 'run_command'])

/**
 * Whether a call counts as changing something, so that hooks follow it and no retry comes by
 * itself. Tools we do not know change nothing unless their adapter says so.
 */
export function isMutatingCall(name: string, args: Json, unknown = false): boolean {
  if (reading.has(name)) return false
  if (editing.has(name)) return true
  if (shells.has(name)) return !onlyReads(args)
  if (name.startsWith('git_')) return true
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

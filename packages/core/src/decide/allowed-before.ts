import { unreachable } from '../base/invariant.ts'
import type { AskRecord } from '../run/snapshot.ts'
import type { ToolCall } from '../run/tool-call.ts'

/** The call at hand, where and when it is made, and by whom. */
interface Moment {
  readonly call: ToolCall
  /** Whether it is the very call of the question. */
  readonly isSameCall: boolean
  /** The tool as the question named it. */
  readonly tool: string
  readonly at: number
  readonly place: string | undefined
  readonly asker: string | undefined
}

/** Whether a person said that the rule need not ask about this call any more (PO-7, PO-7e). */
export function isAllowedBefore(record: AskRecord, moment: Moment): boolean {
  if (!record.always) return false
  const { allowance } = record
  if (allowance === undefined) return true
  const { at, place, asker, tool, call } = moment
  if (allowance.until !== undefined && allowance.until <= at) return false
  if (allowance.where === 'state' && (place === undefined || record.place !== place)) return false
  if (record.asker !== undefined && record.asker !== asker) return false
  if (record.tool !== tool) return false
  const { covers } = allowance
  switch (covers.kind) {
    case 'call':
      return moment.isSameCall
    case 'command':
      return isCommandOf(covers.words, call)
    case 'folder':
      return isInFolder(covers.folder, call)
    default:
      return unreachable(covers)
  }
}

/**
 * One simple command of the very same words, but for paths. A text with more than one command, a
 * redirect or a word that only the shell knows is never covered.
 */
function isCommandOf(words: readonly string[], call: ToolCall): boolean {
  const { shell, elsewhere, background } = call
  if (elsewhere === true || background === true || shell === undefined) return false
  return isPlainCommand(shell.command) && hasWords(shell.whole ?? null, words)
}

/** Whether a text does no more than its words say: a redirect leaves them as they are. */
export function isPlainCommand(command: string): boolean {
  return !/[<>|&;$`(){}[\]*?~!#\\\n]/.test(command)
}

function hasWords(whole: readonly string[] | null, words: readonly string[]): boolean {
  if (whole === null || whole.length !== words.length) return false
  return words.every((word, at) => {
    const found = whole[at] ?? ''
    return word === '*' ? isPathInside(found) : word === found
  })
}

/** A path below the folder at hand: no option, no way out of it, nothing that a program expands. */
export function isPathInside(word: string): boolean {
  return /^[\w.@][\w./@+=-]*$/.test(word) && !word.split('/').includes('..')
}

/** Every file that it changes lies there; a call of which that is not known is not covered. */
function isInFolder(folder: string, { edits, unreadable }: ToolCall): boolean {
  if (unreadable !== undefined || edits === undefined || edits.length === 0) return false
  const root = segmentsOf(folder)
  return edits.every(({ path }) => {
    const file = segmentsOf(path)
    if (file.includes('..') || file.length <= root.length) return false
    return root.every((segment, at) => segment === file[at])
  })
}

/** The first segment of an absolute path is empty, so that it never begins a relative one. */
function segmentsOf(path: string): readonly string[] {
  return path
    .replace(/\/+$/, '')
    .split('/')
    .filter((segment) => segment !== '.')
}

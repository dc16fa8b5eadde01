import { isJsonObject, type JsonObject } from '../base/json.ts'
import { limits } from '../base/limits.ts'
import { own } from '../base/own.ts'
import { phrase } from '../base/text/phrase.ts'
import { doubledField, editField, editText } from './edit-fields.ts'
import {
  type EditFacts,
  type FileEdit,
  type OldText,
  unknownLines,
  unreadableEdits,
} from './file-edit.ts'
import { countLines, editedLines } from './line-diff.ts'
import { notebookLines } from './notebook-lines.ts'
import { patchEdits, patchTextIn } from './patch-edits.ts'
import { type Replacement, readReplacement, replacementEdit } from './replacement.ts'
import { canonicalTool, judgedTool, lowerAscii, type ToolRef } from './tool-names.ts'

export type { FileEdit } from './file-edit.ts'

const noEdits: EditFacts = { edits: [] }

/** What a call of an edit tool would change, read from its input (WF-9, WF-10). */
export function describeEdits(ref: ToolRef, input: unknown, oldTextOf: OldText): EditFacts {
  const tool = judgedTool(ref)
  if (tool !== 'Edit' && tool !== 'Write' && tool !== 'NotebookEdit') return noEdits
  const name = lowerAscii(ref.tool)
  if (patchTools.has(name) || typeof input === 'string') {
    const text = patchTextIn(input)
    return text === undefined
      ? unreadableEdits(phrase('edit_holds_no_patch'))
      : patchEdits(text, oldTextOf)
  }
  if (!isJsonObject(input)) return unreadableEdits(phrase('edit_input_no_object'))
  const doubled = doubledField(input)
  if (doubled !== undefined) return unreadableEdits(doubled)
  if (editField(input, 'patch') !== undefined) return unreadableEdits(phrase('edit_beside_patch'))
  if (tool === 'Write') return describeWrite(input, oldTextOf)
  if (tool === 'NotebookEdit') return describeNotebook(input, oldTextOf)
  if (deleteTools.has(name)) return describeDelete(input, oldTextOf)
  if (commandTools.has(name)) return describeCommand(input, oldTextOf)
  return describeReplacements(input, oldTextOf)
}

/**
 * The tools that a call needs (WF-6). A tool that can do several things is judged by what it does
 * here: an update needs Edit, a new file Write, a deletion or move both.
 */
export function neededTools(ref: ToolRef, edits: readonly FileEdit[]): readonly string[] {
  const tool = judgedTool(ref)
  if (tool === undefined || edits.length === 0) return [canonicalTool(ref.tool)]
  if (tool !== 'Edit') return [tool]
  const name = lowerAscii(ref.tool)
  const byDeed = patchTools.has(name) || deleteTools.has(name) || commandTools.has(name)
  const needsEdit = !byDeed || edits.some(({ op }) => op !== 'create' && op !== 'write')
  const needsWrite = edits.some(({ op }) => op !== 'edit')
  return [...(needsEdit ? ['Edit'] : []), ...(needsWrite ? ['Write'] : [])]
}

const patchTools: ReadonlySet<string> = new Set(['apply_patch', 'patch', 'git_apply'])
const deleteTools: ReadonlySet<string> = new Set(['delete', 'delete_file'])
/** Tools whose `command` field says what they do. */
const commandTools: ReadonlySet<string> = new Set([
  'str_replace_editor',
  'str_replace_based_edit_tool',
])

function describeWrite(input: JsonObject, oldTextOf: OldText): EditFacts {
  const path = pathIn(input)
  const content = editText(input, 'content')
  if (path === undefined || content === undefined)
    return unreadableEdits(phrase('edit_lacks_path_content'))
  const old = oldTextOf(path)
  const lines = old === undefined ? countLines(content) : editedLines(old, content)
  return { edits: [{ path, op: old === undefined ? 'create' : 'write', lines }] }
}

function describeNotebook(input: JsonObject, oldTextOf: OldText): EditFacts {
  const path = pathIn(input)
  if (path === undefined) return unreadableEdits(phrase('edit_lacks_path'))
  const lines = notebookLines(input, oldTextOf(path))
  if (lines === undefined) return unreadableEdits(phrase('edit_lacks_cell_source'))
  return { edits: [{ path, op: 'edit', lines }] }
}

function describeDelete(input: JsonObject, oldTextOf: OldText): EditFacts {
  const path = pathIn(input)
  if (path === undefined) return unreadableEdits(phrase('edit_lacks_path'))
  const old = oldTextOf(path)
  return {
    edits: [{ path, op: 'delete', lines: old === undefined ? unknownLines : countLines(old) }],
  }
}

function describeCommand(input: JsonObject, oldTextOf: OldText): EditFacts {
  switch (own(input, 'command')) {
    case 'view':
      return noEdits
    case 'create':
      return describeWrite(input, oldTextOf)
    case 'str_replace':
      return describeReplacements(input, oldTextOf)
    case 'insert': {
      const path = pathIn(input)
      const text = editText(input, 'inserted') ?? editText(input, 'newText')
      if (path === undefined || text === undefined)
        return unreadableEdits(phrase('edit_lacks_path_text'))
      return { edits: [{ path, op: 'edit', lines: countLines(text) }] }
    }
    default:
      return unreadableEdits(phrase('edit_command_not_known'))
  }
}

/** One edit, a list of them, or a sketch that the client's own model lays over the file. */
function describeReplacements(input: JsonObject, oldTextOf: OldText): EditFacts {
  const items = itemsIn(input)
  if (items === undefined) return unreadableEdits(phrase('edit_list_unusable'))
  const byPath = new Map<string, Replacement[]>()
  for (const item of items) {
    if (!isJsonObject(item)) return unreadableEdits(phrase('edit_item_no_object'))
    const doubled = doubledField(item)
    if (doubled !== undefined) return unreadableEdits(doubled)
    const path = pathIn(item) ?? pathIn(input)
    if (path === undefined) return unreadableEdits(phrase('edit_lacks_path'))
    const replacement = readReplacement(item)
    if (replacement === undefined) return unreadableEdits(phrase('edit_lacks_replacement'))
    const known = byPath.get(path)
    if (known === undefined) byPath.set(path, [replacement])
    else known.push(replacement)
  }
  const edits = [...byPath].map(([path, list]) => replacementEdit(path, list, oldTextOf(path)))
  return edits.length === 0 ? unreadableEdits(phrase('edit_edits_nothing')) : { edits }
}

/** The edits of a list; an edit written beside the list counts as one more. */
function itemsIn(input: JsonObject): readonly unknown[] | undefined {
  const list = editField(input, 'edits')
  if (list === undefined) return [input]
  if (!Array.isArray(list) || list.length > limits.patchFiles) return undefined
  const hasOneBeside = editField(input, 'oldText') !== undefined
  return hasOneBeside ? [...list, input] : list
}

function pathIn(input: JsonObject): string | undefined {
  const path = editText(input, 'path')
  return path === undefined || path === '' || path.includes('\0') ? undefined : path
}

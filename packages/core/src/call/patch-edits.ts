import { unreachable } from '../base/invariant.ts'
import { isJsonObject } from '../base/json.ts'
import { own } from '../base/own.ts'
import { phrase } from '../base/text/phrase.ts'
import { looksLikeCodexPatch, parseCodexPatch } from './codex-patch.ts'
import { editText } from './edit-fields.ts'
import {
  type EditFacts,
  type FileEdit,
  type OldText,
  unknownLines,
  unreadableEdits,
} from './file-edit.ts'
import { countLines, editedLines } from './line-diff.ts'
import { isUnreadable, type ParsedPatch, type PatchFile } from './patch-file.ts'
import { looksLikeUnifiedDiff, parseUnifiedDiff } from './unified-diff.ts'

/** The patch in a call's input: the input itself, a field of it, or the argument of a command. */
export function patchTextIn(input: unknown): string | undefined {
  if (typeof input === 'string') return input
  if (!isJsonObject(input)) return undefined
  const texts = [editText(input, 'patch'), own(input, 'input'), own(input, 'command')]
    .map((value) => (Array.isArray(value) ? argumentOf(value) : value))
    .filter((value) => typeof value === 'string')
  // Two different patches: we cannot know which of them the client would apply.
  return new Set(texts).size === 1 ? texts[0] : undefined
}

/** What a patch does to each file, in any format that we know. */
export function parsePatch(text: string): ParsedPatch {
  if (looksLikeCodexPatch(text)) return parseCodexPatch(text)
  if (looksLikeUnifiedDiff(text)) return parseUnifiedDiff(text)
  return { unreadable: phrase('edit_patch_format_unknown') }
}

export function patchEdits(text: string, oldTextOf: OldText): EditFacts {
  const files = parsePatch(text)
  if (isUnreadable(files)) return unreadableEdits(files.unreadable)
  const edits = files.flatMap((file) => editsOf(file, oldTextOf))
  if (edits.some((edit) => edit.path === '' || edit.path.includes('\0'))) {
    return unreadableEdits(phrase('edit_patch_file_unnamed'))
  }
  return { edits: joinByPath(edits) }
}

function argumentOf(argv: readonly unknown[]): unknown {
  return argv.length === 2 && (argv[0] === 'apply_patch' || argv[0] === 'applypatch')
    ? argv[1]
    : undefined
}

function editsOf(file: PatchFile, oldTextOf: OldText): FileEdit[] {
  const old = oldTextOf(file.path)
  switch (file.op) {
    case 'create': {
      const lines = old === undefined ? countLines(file.text) : editedLines(old, file.text)
      return [{ path: file.path, op: old === undefined ? 'create' : 'write', lines }]
    }
    case 'delete':
      return [
        {
          path: file.path,
          op: 'delete',
          lines: old === undefined ? unknownLines : countLines(old),
        },
      ]
    case 'edit': {
      const lines = Math.max(file.added, file.removed)
      if (file.to === undefined) return [{ path: file.path, op: 'edit', lines }]
      // Both places change: each counts as a file and may set off an interrupt.
      return [file.path, file.to].map((path) => ({ path, op: 'move', lines }))
    }
    default:
      return unreachable(file)
  }
}

/**
 * One file of a patch is one operation. Naming it twice must not halve what is counted, and of two
 * things done to it the graver one decides which tools are needed.
 */
function joinByPath(edits: readonly FileEdit[]): FileEdit[] {
  const byPath = new Map<string, FileEdit>()
  for (const edit of edits) {
    const known = byPath.get(edit.path)
    if (known === undefined) byPath.set(edit.path, edit)
    else {
      byPath.set(edit.path, {
        path: edit.path,
        op: known.op === edit.op ? edit.op : 'move',
        lines: Math.min(known.lines + edit.lines, unknownLines),
      })
    }
  }
  return [...byPath.values()]
}

import type { JsonObject } from '../base/json.ts'
import { editText, replacesAll } from './edit-fields.ts'
import { type FileEdit, unknownLines } from './file-edit.ts'
import { countLines, editedLines } from './line-diff.ts'

/** One place, or every place, of a text replaced by another. */
export interface Replacement {
  readonly oldText: string
  readonly newText: string
  readonly replacesAll: boolean
  /** The new text only sketches the result, so that any line of the old file may go. */
  readonly isSketch: boolean
}

export function readReplacement(input: JsonObject): Replacement | undefined {
  const sketch = editText(input, 'sketch')
  const oldText = editText(input, 'oldText')
  const newText = editText(input, 'newText')
  if (sketch !== undefined) {
    if (oldText !== undefined || newText !== undefined) return undefined
    return { oldText: '', newText: sketch, replacesAll: false, isSketch: true }
  }
  if (oldText === undefined) return undefined
  return {
    oldText,
    newText: newText ?? '',
    replacesAll: replacesAll(input),
    isSketch: false,
  }
}

/**
 * The edit that replacements in one file amount to. Each is an operation of its own and the
 * largest counts; a later one meets the text that the earlier ones leave.
 */
export function replacementEdit(
  path: string,
  replacements: readonly Replacement[],
  oldFile: string | undefined,
): FileEdit {
  const createsFile = oldFile === undefined && replacements[0]?.oldText === ''
  const needsText = replacements.some((one) => one.replacesAll || one.isSketch)
  let text = needsText ? oldFile : undefined
  let lines = 0
  for (const replacement of replacements) {
    lines = Math.max(lines, linesOf(replacement, text))
    if (text !== undefined && replacements.length > 1) text = after(text, replacement)
  }
  const isSketch = replacements.some((one) => one.isSketch)
  return { path, op: createsFile && !isSketch ? 'create' : 'edit', lines }
}

function linesOf(replacement: Replacement, text: string | undefined): number {
  const { oldText, newText, replacesAll, isSketch } = replacement
  if (isSketch) {
    return text === undefined ? unknownLines : Math.max(countLines(newText), countLines(text))
  }
  const once = editedLines(oldText, newText)
  if (!replacesAll || oldText === '') return once
  return text === undefined ? unknownLines : once * Math.max(1, countOccurrences(text, oldText))
}

function countOccurrences(text: string, part: string): number {
  let occurrences = 0
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length))
    occurrences++
  return occurrences
}

/** Text longer than this is no longer followed: each edit of a list may double it. */
const followedLength = 16 * 1024 * 1024

function after(text: string, { oldText, newText, replacesAll }: Replacement): string | undefined {
  if (oldText === '') return newText + text
  const occurrences = replacesAll ? countOccurrences(text, oldText) : 1
  if (text.length + occurrences * newText.length > followedLength) return undefined
  // A function, since `$&` in the new text would mean something in a plain replacement.
  return replacesAll
    ? text.replaceAll(oldText, () => newText)
    : text.replace(oldText, () => newText)
}

import { limits } from '../base/limits.ts'
import { type Phrase, phrase } from '../base/text/phrase.ts'
import { type ParsedPatch, type PatchFile, patchLines } from './patch-file.ts'

const header = /^\*\*\* (Add|Update|Delete) File: (.+)$/
const moveTo = /^\*\*\* Move to: (.+)$/
const marker = /^\*\*\* (?:(?:Add|Update|Delete) File:|Move to:|(?:Begin|End) Patch)/

export function looksLikeCodexPatch(text: string): boolean {
  return /^\s*(?:<<['"]?EOF['"]?\s*)?\*\*\* Begin Patch/.test(text)
}

/**
 * Reads the patch format of Codex. Its own readers disagree on markers that are indented inside an
 * update (one takes them for context, another for the next file), so such a patch is unreadable:
 * a deletion must not hide as a line of context.
 */
export function parseCodexPatch(text: string): ParsedPatch {
  const lines = patchLines(withoutHeredoc(text.trim()))
  if (lines[0]?.trim() !== '*** Begin Patch') return unreadable(phrase('edit_does_not_begin_patch'))
  if (lines.at(-1)?.trim() !== '*** End Patch') return unreadable(phrase('edit_does_not_end_patch'))
  const files: PatchFile[] = []
  let at = 1
  while (at < lines.length - 1) {
    const head = header.exec((lines[at] ?? '').trim())
    if (head === null) return unreadable(phrase('edit_line_names_no_file', { line: at + 1 }))
    if (files.length === limits.patchFiles) return unreadable(phrase('edit_touches_too_many_files'))
    const section = endOfSection(lines, at + 1)
    if (section.fault !== undefined) return unreadable(section.fault)
    const path = (head[2] ?? '').trim()
    const file = readFile(head[1] ?? '', path, lines.slice(at + 1, section.end))
    if ('phrase' in file) return unreadable(phrase('edit_at_line', { why: file, line: at + 1 }))
    files.push(file)
    at = section.end
  }
  return files.length === 0 ? unreadable(phrase('edit_changes_no_file')) : files
}

function unreadable(why: Phrase): ParsedPatch {
  return { unreadable: phrase('edit_patch_unreadable', { why }) }
}

/** Some models wrap the patch as a shell would; Codex unwraps it, so do we. */
function withoutHeredoc(text: string): string {
  return /^<<(['"]?)EOF\1\n(.*)\nEOF$/s.exec(text)?.[2]?.trim() ?? text
}

function endOfSection(lines: readonly string[], from: number): { end: number; fault?: Phrase } {
  let at = from
  for (; at < lines.length - 1; at++) {
    const line = lines[at] ?? ''
    if (header.test(line)) break
    if (moveTo.test(line) && at === from) continue
    if (marker.test(line.trim()))
      return { end: at, fault: phrase('edit_line_odd_marker', { line: at + 1 }) }
  }
  return { end: at }
}

function readFile(kind: string, path: string, body: readonly string[]): PatchFile | Phrase {
  if (kind === 'Add') {
    if (body.some((line) => !line.startsWith('+'))) return phrase('edit_new_line_unmarked')
    return { op: 'create', path, text: body.map((line) => `${line.slice(1)}\n`).join('') }
  }
  if (kind === 'Delete') {
    return body.every(isBlank) ? { op: 'delete', path } : phrase('edit_deletion_has_lines')
  }
  const to = moveTo.exec(body[0] ?? '')?.[1]?.trim()
  const hunks = to === undefined ? body : body.slice(1)
  const counts = countChanges(hunks)
  if ('phrase' in counts) return counts
  const changes = { ...counts, body: hunks }
  return to === undefined ? { op: 'edit', path, ...changes } : { op: 'edit', path, to, ...changes }
}

function countChanges(body: readonly string[]): { added: number; removed: number } | Phrase {
  let added = 0
  let removed = 0
  for (const line of body) {
    if (line.startsWith('+')) added++
    else if (line.startsWith('-')) removed++
    else if (!isContext(line)) return phrase('edit_update_line_unmarked')
  }
  return { added, removed }
}

function isContext(line: string): boolean {
  return line === '' || line.startsWith(' ') || line.startsWith('@@') || line === '*** End of File'
}

function isBlank(line: string): boolean {
  return line.trim() === ''
}

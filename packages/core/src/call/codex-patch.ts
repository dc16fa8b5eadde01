import { limits } from '../base/limits.ts'
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
  if (lines[0]?.trim() !== '*** Begin Patch') return unreadable('it does not begin as a patch')
  if (lines.at(-1)?.trim() !== '*** End Patch') return unreadable('it does not end as a patch')
  const files: PatchFile[] = []
  let at = 1
  while (at < lines.length - 1) {
    const head = header.exec((lines[at] ?? '').trim())
    if (head === null) return unreadable(`line ${at + 1} names no file`)
    if (files.length === limits.patchFiles) return unreadable('it touches too many files')
    const section = endOfSection(lines, at + 1)
    if (section.fault !== undefined) return unreadable(section.fault)
    const path = (head[2] ?? '').trim()
    const file = readFile(head[1] ?? '', path, lines.slice(at + 1, section.end))
    if (typeof file === 'string') return unreadable(`${file} (line ${at + 1})`)
    files.push(file)
    at = section.end
  }
  return files.length === 0 ? unreadable('it changes no file') : files
}

function unreadable(why: string): ParsedPatch {
  return { unreadable: `the patch cannot be read: ${why}` }
}

/** Some models wrap the patch as a shell would; Codex unwraps it, so do we. */
function withoutHeredoc(text: string): string {
  return /^<<(['"]?)EOF\1\n(.*)\nEOF$/s.exec(text)?.[2]?.trim() ?? text
}

function endOfSection(lines: readonly string[], from: number): { end: number; fault?: string } {
  let at = from
  for (; at < lines.length - 1; at++) {
    const line = lines[at] ?? ''
    if (header.test(line)) break
    if (moveTo.test(line) && at === from) continue
    if (marker.test(line.trim())) return { end: at, fault: `line ${at + 1} is an odd marker` }
  }
  return { end: at }
}

function readFile(kind: string, path: string, body: readonly string[]): PatchFile | string {
  if (kind === 'Add') {
    if (body.some((line) => !line.startsWith('+'))) return 'a new file has a line without "+"'
    return { op: 'create', path, text: body.map((line) => `${line.slice(1)}\n`).join('') }
  }
  if (kind === 'Delete') {
    return body.every(isBlank) ? { op: 'delete', path } : 'a deletion has lines'
  }
  const to = moveTo.exec(body[0] ?? '')?.[1]?.trim()
  const hunks = to === undefined ? body : body.slice(1)
  const counts = countChanges(hunks)
  if (typeof counts === 'string') return counts
  const changes = { ...counts, body: hunks }
  return to === undefined ? { op: 'edit', path, ...changes } : { op: 'edit', path, to, ...changes }
}

function countChanges(body: readonly string[]): { added: number; removed: number } | string {
  let added = 0
  let removed = 0
  for (const line of body) {
    if (line.startsWith('+')) added++
    else if (line.startsWith('-')) removed++
    else if (!isContext(line)) return 'an update has a line without a mark'
  }
  return { added, removed }
}

function isContext(line: string): boolean {
  return line === '' || line.startsWith(' ') || line.startsWith('@@') || line === '*** End of File'
}

function isBlank(line: string): boolean {
  return line.trim() === ''
}

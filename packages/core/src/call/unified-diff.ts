import { limits } from '../base/limits.ts'
import { type Phrase, phrase } from '../base/text/phrase.ts'
import { type ParsedPatch, type PatchFile, patchLines } from './patch-file.ts'

const hunkHead = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/

export function looksLikeUnifiedDiff(text: string): boolean {
  return /^(?:diff --git |--- )/m.test(text) && /^(?:\+\+\+ |rename to |deleted file )/m.test(text)
}

/**
 * Reads a unified diff, plain or from git. The counts in each hunk's head say how many lines
 * belong to it, so that a removed line reading `-- a/x` is never taken for the next file.
 */
export function parseUnifiedDiff(text: string): ParsedPatch {
  const reader: Reader = { lines: patchLines(text), at: 0 }
  const files: PatchFile[] = []
  while (skipToFile(reader)) {
    if (files.length === limits.patchFiles) return unreadable(phrase('edit_touches_too_many_files'))
    const file = readFile(reader)
    if ('phrase' in file)
      return unreadable(phrase('edit_before_line', { why: file, line: reader.at + 1 }))
    files.push(file)
  }
  if (reader.at < reader.lines.length)
    return unreadable(phrase('edit_line_no_diff', { line: reader.at + 1 }))
  return files.length === 0 ? unreadable(phrase('edit_changes_no_file')) : files
}

interface Reader {
  readonly lines: readonly string[]
  at: number
}

function unreadable(why: Phrase): ParsedPatch {
  return { unreadable: phrase('edit_diff_unreadable', { why }) }
}

/** Blank lines and `index` or `===` lines may stand between files; anything else stops here. */
function skipToFile(reader: Reader): boolean {
  for (; reader.at < reader.lines.length; reader.at++) {
    const line = reader.lines[reader.at] ?? ''
    if (line.startsWith('diff --git ') || line.startsWith('--- ')) return true
    if (line !== '' && !/^(?:index |Index: |=+$)/.test(line)) return false
  }
  return false
}

interface Names {
  from?: string
  to?: string
  isMove: boolean
  isNew: boolean
  isDeleted: boolean
}

function readFile(reader: Reader): PatchFile | Phrase {
  const names: Names = { isMove: false, isNew: false, isDeleted: false }
  if (lineAt(reader).startsWith('diff --git ')) {
    const fault = readGitHeader(reader, names)
    if (fault !== undefined) return fault
  }
  if (lineAt(reader).startsWith('--- ')) {
    const fault = readNames(reader, names)
    if (fault !== undefined) return fault
  }
  const changes = readHunks(reader)
  if ('phrase' in changes) return changes
  const { from, to } = names
  if (from === undefined && to !== undefined) {
    return { op: 'create', path: to, text: changes.text }
  }
  if (from !== undefined && to === undefined) return { op: 'delete', path: from }
  if (from === undefined || to === undefined) return phrase('edit_names_no_file')
  const { added, removed, body } = changes
  if (from !== to) return { op: 'edit', path: from, to, added, removed, body }
  return { op: 'edit', path: from, added, removed, body }
}

function readGitHeader(reader: Reader, names: Names): Phrase | undefined {
  const paths = /^diff --git a\/(.+) b\/(.+)$/.exec(lineAt(reader))
  reader.at++
  for (; reader.at < reader.lines.length; reader.at++) {
    const line = lineAt(reader)
    if (/^(?:index |similarity |dissimilarity |old mode |new mode )/.test(line)) continue
    if (line.startsWith('new file mode ')) names.isNew = true
    else if (line.startsWith('deleted file mode ')) names.isDeleted = true
    else if (/^(?:rename|copy) from /.test(line)) names.from = afterPrefix(line, ' from ')
    else if (/^(?:rename|copy) to /.test(line)) names.to = afterPrefix(line, ' to ')
    else if (/^(?:Binary files|GIT binary patch)/.test(line))
      return phrase('edit_holds_binary_content')
    else break
  }
  names.isMove = names.from !== undefined || names.to !== undefined
  if (!names.isMove) {
    // Without hunks the names stand only here, and only equal halves can be told apart.
    if (paths === null || paths[1] !== paths[2]) {
      return lineAt(reader).startsWith('--- ') ? undefined : phrase('edit_names_ambiguous')
    }
    if (!names.isNew) names.from = paths[1] ?? ''
    if (!names.isDeleted) names.to = paths[1] ?? ''
  }
  return [names.from, names.to].some(isQuoted) ? phrase('edit_name_quoted') : undefined
}

function readNames(reader: Reader, names: Names): Phrase | undefined {
  const from = lineAt(reader)
  const to = reader.lines[reader.at + 1] ?? ''
  if (!to.startsWith('+++ ')) return phrase('edit_file_has_one_name')
  reader.at += 2
  const [left, right] = [nameIn(from), nameIn(to)]
  if (isQuoted(left) || isQuoted(right)) return phrase('edit_name_quoted')
  const bothPrefixed =
    (left === devNull || left.startsWith('a/')) && (right === devNull || right.startsWith('b/'))
  const strip = (name: string) => (bothPrefixed ? name.slice(2) : name)
  return setName(names, 'from', left, strip) ?? setName(names, 'to', right, strip)
}

/** Tools differ in which of two names they follow, so names that disagree are not guessed at. */
function setName(
  names: Names,
  side: 'from' | 'to',
  written: string,
  strip: (name: string) => string,
): Phrase | undefined {
  const known = names[side]
  if (written === devNull) return known === undefined ? undefined : phrase('edit_names_disagree')
  const name = strip(written)
  if (known !== undefined && known !== name) return phrase('edit_names_disagree')
  names[side] = name
  return undefined
}

interface Changes {
  readonly added: number
  readonly removed: number
  /** The added lines, which are the whole text of a new file. */
  readonly text: string
  readonly body: readonly string[]
}

function readHunks(reader: Reader): Changes | Phrase {
  const start = reader.at
  const added: string[] = []
  let removed = 0
  for (let head = hunkHead.exec(lineAt(reader)); head; head = hunkHead.exec(lineAt(reader))) {
    reader.at++
    let oldLeft = Number(head[1] ?? 1)
    let newLeft = Number(head[2] ?? 1)
    for (; oldLeft > 0 || newLeft > 0; reader.at++) {
      if (reader.at >= reader.lines.length) return phrase('edit_hunk_cut_short')
      const line = lineAt(reader)
      if (line.startsWith('\\')) continue
      if (line.startsWith('+')) {
        added.push(`${line.slice(1)}\n`)
        newLeft--
      } else if (line.startsWith('-')) {
        removed++
        oldLeft--
      } else if (line === '' || line.startsWith(' ')) {
        oldLeft--
        newLeft--
      } else return phrase('edit_hunk_line_unmarked')
      if (oldLeft < 0 || newLeft < 0) return phrase('edit_hunk_too_long')
    }
    if (lineAt(reader).startsWith('\\')) reader.at++
  }
  const body = reader.lines.slice(start, reader.at)
  return { added: added.length, removed, text: added.join(''), body }
}

const devNull = '/dev/null'

function lineAt(reader: Reader): string {
  return reader.lines[reader.at] ?? ''
}

/** The name after `--- ` or `+++ `; a tab begins a time stamp. */
function nameIn(line: string): string {
  return (line.slice(4).split('\t')[0] ?? '').trimEnd()
}

function afterPrefix(line: string, prefix: string): string {
  return line.slice(line.indexOf(prefix) + prefix.length)
}

function isQuoted(name: string | undefined): boolean {
  return name?.startsWith('"') ?? false
}

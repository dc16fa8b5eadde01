import { err, ok, type Result } from '@statewright/core/internal'

const unifiedHead = /^@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@/

/**
 * Applies the hunks of one file. Each is looked for by its own lines, after the one before it;
 * numbers of lines only count where a hunk brings no old lines to look for.
 */
export function applyHunks(text: string, body: readonly string[]): Result<string, string> {
  const ending = text.includes('\r\n') ? '\r\n' : '\n'
  const lines = text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/)
  let from = 0
  for (const hunk of hunksOf(body)) {
    const start = hunk.after === undefined ? from : lineAfter(lines, hunk.after, from)
    if (start === undefined) return err(`there is no line "${hunk.after}"`)
    const at = findHunk(lines, hunk, start)
    if (at === undefined) return err(`it has no such lines: "${hunk.old[0] ?? ''}"`)
    lines.splice(at, hunk.old.length, ...hunk.new)
    from = at + hunk.new.length
  }
  return ok(lines.length === 0 ? '' : lines.join(ending) + ending)
}

interface Hunk {
  /** The line of the file after which it is looked for. */
  readonly after: string | undefined
  /** Lines of the old file before the hunk, as a unified diff counts them. */
  readonly shift: number | undefined
  readonly old: string[]
  readonly new: string[]
  isAtEnd: boolean
}

function hunksOf(body: readonly string[]): Hunk[] {
  const hunks: Hunk[] = [newHunk('@@')]
  for (const line of body) {
    const hunk = hunks.at(-1)
    if (line.startsWith('@@') || hunk === undefined) hunks.push(newHunk(line))
    else if (line === '*** End of File') hunk.isAtEnd = true
    else if (line.startsWith('+')) hunk.new.push(line.slice(1))
    else if (line.startsWith('-')) hunk.old.push(line.slice(1))
    else if (!line.startsWith('\\')) {
      // Some models leave the mark of an empty line out.
      hunk.old.push(line.slice(1))
      hunk.new.push(line.slice(1))
    }
  }
  return hunks.filter((hunk) => hunk.old.length + hunk.new.length > 0)
}

function newHunk(head: string): Hunk {
  const unified = unifiedHead.exec(head)
  const after = unified === null ? head.slice(2).trim() : ''
  return {
    after: after === '' ? undefined : after,
    shift: unified === null ? undefined : Number(unified[1]),
    old: [],
    new: [],
    isAtEnd: false,
  }
}

function lineAfter(lines: readonly string[], wanted: string, from: number): number | undefined {
  const at = lines.findIndex((line, index) => index >= from && line.trim() === wanted)
  return at < 0 ? undefined : at + 1
}

/** Where the old lines stand, from a line on. */
function findHunk(lines: readonly string[], hunk: Hunk, from: number): number | undefined {
  const { old, shift, after, isAtEnd } = hunk
  if (old.length === 0) {
    if (shift !== undefined) return Math.min(Math.max(shift, from), lines.length)
    return after === undefined || isAtEnd ? lines.length : from
  }
  const last = lines.length - old.length
  for (let at = isAtEnd ? Math.max(from, last) : from; at <= last; at++) {
    if (old.every((line, index) => lines[at + index] === line)) return at
  }
  return undefined
}

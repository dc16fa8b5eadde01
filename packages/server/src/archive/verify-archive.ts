import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type ChainedEntry, verify } from '@statewright/core/internal'
import { sha256 } from '../runtime/dispatch.ts'
import { readProgram } from '../runtime/programs.ts'
import { type ArchiveHead, archiveFormat } from './archive-file.ts'

export interface VerifiedArchive {
  readonly runId: string
  readonly ok: boolean
  readonly entries: number
  readonly files: readonly string[]
  readonly problem?: string
}

/** Every run in an archive, by files or folders of it: chain, definition and replay (AR-4). */
export function verifyArchive(paths: readonly string[]): VerifiedArchive[] {
  const segments = new Map<string, Segment[]>()
  const verified: VerifiedArchive[] = []
  for (const file of paths.flatMap(archiveFiles).toSorted()) {
    const segment = readSegment(file)
    if (typeof segment === 'string') {
      verified.push({ runId: file, ok: false, entries: 0, files: [file], problem: segment })
    } else {
      const { runId } = segment.head.run
      segments.set(runId, [...(segments.get(runId) ?? []), segment])
    }
  }
  for (const [runId, some] of segments) verified.push(verifySegments(runId, some))
  return verified
}

function archiveFiles(path: string): string[] {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(path, name))
}

interface Segment {
  readonly file: string
  readonly head: ArchiveHead
  readonly entries: readonly ChainedEntry[]
}

/** A file as we wrote it, or what is wrong with it. */
function readSegment(file: string): Segment | string {
  const entries: ChainedEntry[] = []
  let head: ArchiveHead | undefined
  const hash = createHash('sha256')
  let lines = 0
  let isEnded = false
  const whole = readFileSync(file, 'utf8')
  // By this sign alone: a text may hold others that end a line.
  for (const text of whole.split('\n').slice(0, -1)) {
    const line = parsed(text)
    if (line === undefined) return `line ${lines + 1} is not JSON`
    if (isEnded) return 'there are lines after its end'
    if (head === undefined) {
      if (!isHead(line)) return `it does not begin as ${archiveFormat} does`
      head = line
    } else if ('end' in line) {
      if (line.lines !== lines) return `it had ${String(line.lines)} lines and has ${lines}`
      if (line.sha256 !== hash.digest('hex')) return 'a line was changed'
      isEnded = true
    } else if (isEntry(line)) entries.push(line)
    if (isEnded) continue
    hash.update(`${text}\n`)
    lines += 1
  }
  return head === undefined || !isEnded ? 'its end is missing' : { file, head, entries }
}

function verifySegments(runId: string, segments: readonly Segment[]): VerifiedArchive {
  const [inOrder, copies] = withoutCopies(segments)
  const files = [...inOrder, ...copies].map(({ file }) => file)
  const entries = inOrder.flatMap((segment) => segment.entries)
  const broken = (problem: string): VerifiedArchive => {
    return { runId, ok: false, entries: entries.length, files, problem }
  }
  const hashes = new Map(entries.map(({ seq, hash }) => [seq, hash]))
  for (const copy of copies) {
    const other = copy.entries.find(({ seq, hash }) => hashes.get(seq) !== hash)
    if (other !== undefined) return broken(`two files differ in entry ${other.seq}`)
  }
  for (const [at, { head }] of inOrder.entries()) {
    const next = (inOrder[at - 1]?.head.to ?? 0) + 1
    if (head.from !== next) return broken(`entry ${next} is missing`)
  }
  const last = inOrder.at(-1)?.head
  if (last === undefined) return broken('its file is missing')
  if (entries.length !== last.to) return broken(`entry ${entries.length + 1} is missing`)
  if (entries.at(-1)?.hash !== last.run.chain)
    return broken('the last entry is not the one on record')
  const program = programOf(last)
  if (program === undefined) return broken('its definition does not match its hash')
  const result = verify({ runId, program, entries, snapshot: last.snapshot }, sha256)
  return result.ok ? { runId, ok: true, entries: entries.length, files } : broken(result.problem)
}

/**
 * A node that was killed leaves a file which another one then wrote as well, perhaps with entries
 * that came since. What the larger file has need not be there twice.
 */
function withoutCopies(segments: readonly Segment[]): readonly [Segment[], Segment[]] {
  const [inOrder, copies]: [Segment[], Segment[]] = [[], []]
  const larger = (left: Segment, right: Segment) =>
    left.head.from - right.head.from || right.head.to - left.head.to
  for (const segment of segments.toSorted(larger)) {
    const isCopy = segment.head.to <= (inOrder.at(-1)?.head.to ?? 0)
    ;(isCopy ? copies : inOrder).push(segment)
  }
  return [inOrder, copies]
}

function programOf({ program, run }: ArchiveHead) {
  try {
    const read = readProgram(program)
    return read.hash === run.hash ? read : undefined
  } catch {
    return undefined
  }
}

type Line = Readonly<Record<string, unknown>>

function parsed(text: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(text)
    // An object that is no array has names.
    return typeof value === 'object' && value !== null ? (value as Line) : undefined
  } catch {
    return undefined
  }
}

function isHead(line: object): line is ArchiveHead {
  if (!('format' in line) || line.format !== archiveFormat) return false
  const hasRun = 'run' in line && typeof line.run === 'object' && line.run !== null
  return hasRun && 'snapshot' in line && 'program' in line && typeof line.program === 'string'
}

function isEntry(line: object): line is ChainedEntry {
  return 'seq' in line && typeof line.seq === 'number' && 'hash' in line && 'entry' in line
}

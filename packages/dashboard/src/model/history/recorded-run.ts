import {
  type Entry,
  hashText,
  type Program,
  type RunSnapshot,
  verify,
} from '@statewright/core/internal'
import { emptyFold, extendFold } from './fold.ts'
import { type ReadProgram, readProgram } from './program-text.ts'

/** An entry with its place in the history. */
export type PlacedEntry = Entry & { readonly seq: number; readonly hash: string }

/** A run as a file holds it. */
export interface RecordedRun {
  readonly runId: string
  readonly read: ReadProgram
  readonly entries: readonly PlacedEntry[]
}

type OpenResult =
  | { readonly ok: true; readonly run: RecordedRun }
  | { readonly ok: false; readonly problem: string }

interface Link {
  readonly seq: number
  readonly hash: string
  readonly entry: Entry
}

/** Opens what `statewright run export` wrote, and checks it again from its first byte. */
export function openExport(text: string): OpenResult {
  const file = parsed(text)
  const runId = stringIn(objectIn(file.run), 'run_id')
  if (file.format !== 'statewright-run/1' || runId === '' || !Array.isArray(file.entries)) {
    return { ok: false, problem: 'This is not an exported run.' }
  }
  const read = readProgram(file.program)
  if (read === null) return { ok: false, problem: 'Its definitions cannot be read.' }
  const links = file.entries.filter(isLink)
  if (links.length !== file.entries.length) {
    return { ok: false, problem: 'Some of its entries cannot be read.' }
  }
  // Shown only when it is whole: then every entry is what our own reducer would have written.
  const fault = faultOf(runId, read.program, links)
  if (fault !== null) return { ok: false, problem: `The file was changed: ${fault}.` }
  const entries = links.map(({ seq, hash, entry }) => ({ ...entry, seq, hash }))
  return { ok: true, run: { runId, read, entries } }
}

function faultOf(runId: string, program: Program, links: readonly Link[]): string | null {
  const fold = extendFold(
    emptyFold(program),
    links.map(({ entry }) => entry),
  )
  const snapshot: RunSnapshot | undefined = fold.snapshots.at(-1)
  if (snapshot === undefined) return 'the history does not begin with a start'
  const verified = verify({ runId, program, entries: links, snapshot }, hashText)
  return verified.ok ? null : `entry ${verified.seq}: ${verified.problem}`
}

function isLink(value: unknown): value is Link {
  const link = objectIn(value)
  const entry = objectIn(link.entry)
  const isPlaced = typeof link.seq === 'number' && typeof link.hash === 'string'
  return isPlaced && typeof entry.type === 'string' && typeof entry.at === 'number'
}

function parsed(text: string): Record<string, unknown> {
  try {
    return objectIn(JSON.parse(text))
  } catch {
    return {}
  }
}

function objectIn(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function stringIn(value: Record<string, unknown>, name: string): string {
  const text = value[name]
  return typeof text === 'string' ? text : ''
}

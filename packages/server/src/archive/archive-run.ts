import { rm } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { brokenLink, chainStart, type Entry, takeUp } from '@statewright/core/internal'
import { sha256 } from '../runtime/dispatch.ts'
import type { Runtime } from '../runtime/runtime.ts'
import type { ArchivedRun, CallValue } from '../store/archive-store.ts'
import type { RunRow, Store, StoredEntry } from '../store/store.ts'
import { type ArchiveLine, archiveFormat, archivePath, writeArchiveFile } from './archive-file.ts'

export interface ArchiveOptions {
  /** `archive` in the data folder. */
  readonly folder: string
  readonly node: string
}

/** So many entries at a time: between two pages, calls are judged. */
const pageSize = 100

export type ArchiveOutcome =
  | { readonly kind: 'archived'; readonly file: string }
  /** It has gone on meanwhile, or another node was faster. */
  | { readonly kind: 'passed' }
  /** Its history is not whole: it stays where it is, for people to look at. */
  | { readonly kind: 'broken'; readonly problem: string }

/**
 * Moves the history of a run that ended into the archive (AR-2). Row and last snapshot stay,
 * so that the run holds what it held. First the file is on the disk, then the store says so, then
 * the entries go: whatever happens in between, one of the two has them; the next pass goes on.
 */
export async function archiveRun(
  runtime: Runtime,
  row: RunRow,
  { folder, node }: ArchiveOptions,
): Promise<ArchiveOutcome> {
  const { store, clock } = runtime
  const before = await store.archive.get(row.runId)
  // Another node was faster since it was listed.
  if (before !== undefined && before.seq >= row.seq) return { kind: 'passed' }
  const from = (before?.seq ?? 0) + 1
  const file = archivePath(folder, row, from)
  const snapshot = await lastSnapshot(runtime, row)
  if (snapshot === undefined) return { kind: 'passed' }
  const program = await store.definitions.program(row.hash)
  if (program === undefined) return { kind: 'broken', problem: 'its definition is not stored' }
  const head = { format: archiveFormat, run: row, program, snapshot, from, to: row.seq } as const
  const start = { seq: from - 1, hash: before?.chain ?? chainStart(row.runId) }
  try {
    await writeArchiveFile(file, head, (write) => historyOf(store, row, start, write))
  } catch (fault) {
    if (!(fault instanceof BrokenHistory)) throw fault
    // Another node may have archived it meanwhile, and removes what was to be read here.
    const meanwhile = await store.archive.get(row.runId)
    if (meanwhile?.seq !== before?.seq) return { kind: 'passed' }
    return { kind: 'broken', problem: fault.message }
  }
  const { runId, seq, chain } = row
  const archived: ArchivedRun = { runId, seq, chain, archivedAt: clock.now(), node, file }
  if (!(await store.archive.mark(archived, snapshot))) {
    const now = await store.archive.get(runId)
    if (now?.file !== file || now.node !== node) await rm(file, { force: true })
    return { kind: 'passed' }
  }
  await clearArchived(runtime, archived)
  return { kind: 'archived', file }
}

/** Removes what the archive has from the store, a little at a time; also after a crash. */
export async function clearArchived(runtime: Runtime, archived: ArchivedRun): Promise<void> {
  const { store, live } = runtime
  const { runId, seq } = archived
  for (;;) {
    const read = await store.runs.entryBodies(runId, { after: 0, limit: pageSize })
    const page = read.filter((one) => one.seq <= seq)
    const last = page.at(-1)
    if (last === undefined) break
    const entries = page.map(({ entry }) => entry)
    const [values, approvals] = [valuesOf(entries), approvalsOf(entries)]
    await store.archive.removeEntries({ runId, upTo: last.seq, values, approvals })
    await setImmediate()
  }
  await store.archive.finish(runId)
  live.drop(runId)
}

/** Where the run stands; undefined when it stands elsewhere by now. */
async function lastSnapshot({ store, programs }: Runtime, row: RunRow) {
  const loaded = await store.runs.load(row.runId)
  if (loaded === undefined || loaded.row.seq !== row.seq) return undefined
  if (loaded.snapshotSeq === row.seq) return loaded.snapshot
  const entries = loaded.after.map(({ entry }) => entry)
  return takeUp(await programs.byHash(row.hash), loaded.snapshot ?? null, entries)?.run
}

class BrokenHistory extends Error {}

async function* historyOf(
  store: Store,
  row: RunRow,
  start: { readonly seq: number; readonly hash: string },
  write: (line: ArchiveLine) => void,
): AsyncGenerator<void> {
  let at = start
  while (at.seq < row.seq) {
    const read = await store.runs.entries(row.runId, { after: at.seq, limit: pageSize })
    const page = read.filter(({ seq }) => seq <= row.seq)
    const last = checkedLast(row, page, at)
    for (const { seq, prev, hash, entry } of page) write({ seq, prev, hash, entry })
    const values = valuesOf(page.map(({ entry }) => entry))
    for (const blob of await store.archive.blobs(row.runId, values)) write({ blob })
    at = { seq: last.seq, hash: last.hash }
    yield
    await setImmediate()
  }
  if (at.hash !== row.chain)
    throw new BrokenHistory('the last entry on record is not the last entry of the history')
  for (const approval of await store.archive.approvals(row.runId)) write({ approval })
}

function checkedLast(
  { runId }: RunRow,
  page: readonly StoredEntry[],
  behind: { readonly seq: number; readonly hash: string },
): StoredEntry {
  const broken = brokenLink(runId, page, sha256, behind)
  if (broken !== null) throw new BrokenHistory(broken.problem)
  const last = page.at(-1)
  if (last === undefined) throw new BrokenHistory(`entry ${behind.seq + 1} is missing`)
  return last
}

/** Inputs and outputs that came with these entries: their events hold the hashes. */
function valuesOf(entries: readonly Entry[]): CallValue[] {
  return entries.flatMap(({ cause }) => {
    if (cause?.type === 'tool_requested') {
      return [{ callId: cause.call.id, hash: cause.call.argsHash }]
    }
    if (cause?.type !== 'tool_finished' || cause.outputHash === undefined) return []
    return [{ callId: cause.callId, hash: cause.outputHash }]
  })
}

function approvalsOf(entries: readonly Entry[]): string[] {
  return entries.flatMap((entry) => (entry.type === 'approval_opened' ? [entry.approval_id] : []))
}

import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { JsonObject, RunSnapshot } from '@statewright/core/internal'
import type { ApprovalRow, Blob, RunRow } from '../store/store.ts'

export const archiveFormat = 'statewright-archive/1'

/** The first line of a file: what the entries behind it belong to. */
export interface ArchiveHead {
  readonly format: typeof archiveFormat
  readonly run: RunRow
  /** As it is kept for the run: its definition and all it invokes. */
  readonly program: string
  /** Where the run stood at the last entry of this file. */
  readonly snapshot: RunSnapshot
  readonly from: number
  readonly to: number
}

/** The other lines, in this order. */
export type ArchiveLine =
  | { readonly seq: number; readonly prev: string; readonly hash: string; readonly entry: object }
  | { readonly blob: Blob }
  | { readonly approval: ApprovalRow }
  /** The last one, without which a file is torn. */
  | { readonly end: true; readonly lines: number; readonly sha256: string }

/** Where the entries of a run from one on lie, by the day on which the run was changed last. */
export function archivePath(folder: string, { runId, updatedAt }: RunRow, from: number): string {
  const day = new Date(updatedAt).toISOString().slice(0, 10)
  const part = from === 1 ? '' : `.from-${from}`
  return join(folder, day, `${encodeURIComponent(runId)}${part}.jsonl`)
}

/**
 * Writes a file that is whole or not there: under another name first, and on the disk before it
 * gets its own. Anyone who writes the same run again puts the same lines in its place.
 */
export async function writeArchiveFile(
  path: string,
  head: ArchiveHead,
  body: (write: (line: ArchiveLine) => void) => AsyncIterable<void>,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomUUID()}.part`
  const file = await open(draft, 'wx', 0o600)
  try {
    await writeLines(file, head, body)
    await file.sync()
  } catch (fault) {
    await file.close()
    await rm(draft, { force: true })
    throw fault
  }
  await file.close()
  await rename(draft, path)
  for (const folder of [dirname(path), dirname(dirname(path))]) await syncFolder(folder)
}

async function writeLines(
  file: FileHandle,
  head: ArchiveHead,
  body: (write: (line: ArchiveLine) => void) => AsyncIterable<void>,
): Promise<void> {
  const hash = createHash('sha256')
  let [waiting, lines] = ['', 0]
  const write = (line: ArchiveHead | ArchiveLine | JsonObject) => {
    waiting += `${JSON.stringify(line)}\n`
    lines += 1
  }
  const flush = async () => {
    hash.update(waiting)
    await file.appendFile(waiting)
    waiting = ''
  }
  write(head)
  for await (const _page of body(write)) await flush()
  await flush()
  write({ end: true, lines, sha256: hash.digest('hex') })
  await file.appendFile(waiting)
}

/** A new name is on the disk only when its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

import { type FileHandle, open, realpath } from 'node:fs/promises'
import { isAbsolute, sep } from 'node:path'

/** So much of a transcript is read at one event; the rest at the next. */
const maxReadBytes = 16 * 1024 * 1024

export interface ReadLines {
  readonly lines: readonly string[]
  /** Where the next look begins: behind the last whole line. */
  readonly offset: number
}

/**
 * The whole lines of a file behind an offset. Undefined when it is no file in one of the folders,
 * links followed: a hook says where its transcript lies, and must not have us read anything else.
 */
export async function readLines(
  path: string,
  folders: readonly string[],
  from: number,
): Promise<ReadLines | undefined> {
  const real = await transcriptPath(path, folders)
  if (real === undefined) return undefined
  let file: FileHandle
  try {
    file = await open(real, 'r')
  } catch {
    return undefined
  }
  try {
    const stat = await file.stat()
    if (!stat.isFile()) return undefined
    // It was written again: what was counted of it is known by its ids.
    const offset = stat.size < from ? 0 : from
    const buffer = Buffer.alloc(Math.min(stat.size - offset, maxReadBytes))
    const { bytesRead } = await file.read(buffer, 0, buffer.length, offset)
    const end = buffer.subarray(0, bytesRead).lastIndexOf(10) + 1
    // A line that is longer than all that is read would stop the reading for ever.
    if (end === 0 && bytesRead === maxReadBytes) return { lines: [], offset: offset + bytesRead }
    const lines = buffer.subarray(0, end).toString('utf8').split('\n')
    return { lines: lines.filter((line) => line !== ''), offset: offset + end }
  } finally {
    await file.close()
  }
}

async function transcriptPath(
  path: string,
  folders: readonly string[],
): Promise<string | undefined> {
  if (!isAbsolute(path) || !path.endsWith('.jsonl')) return undefined
  try {
    const real = await realpath(path)
    for (const folder of folders) {
      const root = await realpath(folder).catch(() => undefined)
      if (root !== undefined && real.startsWith(root + sep) && real.endsWith('.jsonl')) return real
    }
  } catch {
    // It is not on this machine.
  }
  return undefined
}

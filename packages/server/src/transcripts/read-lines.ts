import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { transcriptLimits } from './limits.ts'
import type { UnreadableWhy } from './transcript.ts'

export type Line =
  | { readonly line: number; readonly text: string }
  | { readonly line: number; readonly why: UnreadableWhy }

const chunkBytes = 256 * 1024
const newline = 10

/**
 * The lines of a plain file, one after the other. It is opened without waiting and without
 * following a link: a pipe of that name would hold us for ever, and a link could lead to any file.
 */
export async function* readLines(path: string): AsyncGenerator<Line> {
  const file = await openPlain(path)
  if (file === undefined) return
  try {
    yield* linesOf(file)
  } finally {
    await file.close()
  }
}

async function openPlain(path: string): Promise<FileHandle | undefined> {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants
  try {
    const file = await open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
    if ((await file.stat()).isFile()) return file
    await file.close()
  } catch {
    // It went away, or may not be read.
  }
  return undefined
}

async function* linesOf(file: FileHandle): AsyncGenerator<Line> {
  const chunk = Buffer.alloc(chunkBytes)
  let [line, held, isTooLong] = [1, 0, false]
  let segments: Buffer[] = []
  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, chunkBytes)
    if (bytesRead === 0) break
    let from = 0
    while (from < bytesRead) {
      const end = chunk.subarray(0, bytesRead).indexOf(newline, from)
      const to = end < 0 ? bytesRead : end
      held += to - from
      if (held > transcriptLimits.lineBytes) {
        isTooLong = true
        segments = []
      } else {
        // The chunk is read over: what waits for its end is copied.
        segments.push(Buffer.from(chunk.subarray(from, to)))
      }
      if (end < 0) break
      if (isTooLong) yield { line, why: 'too long' }
      else if (held > 0) yield { line, text: Buffer.concat(segments).toString('utf8') }
      line += 1
      held = 0
      isTooLong = false
      segments = []
      from = end + 1
    }
  }
  if (isTooLong) yield { line, why: 'too long' }
  else if (held > 0) yield { line, text: Buffer.concat(segments).toString('utf8') }
}

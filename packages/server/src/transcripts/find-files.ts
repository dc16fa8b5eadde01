import type { Dirent, Stats } from 'node:fs'
import { lstat, readdir, realpath } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { transcriptLimits } from './limits.ts'
import type { SkippedFile } from './transcript.ts'

export type FoundFile =
  | { readonly path: string; readonly stat: Stats }
  | { readonly skipped: SkippedFile }

/**
 * Plain files under a folder whose name fits, or the one file that is named itself. The folder may
 * be a link, as people link their settings; below it no link is followed, since one in a transcript
 * folder could lead anywhere.
 */
export async function* findFiles(
  folder: string,
  fits: (name: string) => boolean,
): AsyncGenerator<FoundFile> {
  const root = await realpath(folder).catch(() => undefined)
  if (root === undefined) return
  const itself = await lstat(root).catch(() => undefined)
  if (itself?.isFile() === true) {
    if (fits(basename(root))) yield { path: root, stat: itself }
    return
  }
  const waiting = [{ path: root, depth: 0 }]
  let found = 0
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const entry of await entriesOf(next.path)) {
      const path = join(next.path, entry.name)
      if (entry.isDirectory() && !fits(entry.name)) {
        if (next.depth < transcriptLimits.folderDepth) waiting.push({ path, depth: next.depth + 1 })
        continue
      }
      if (!fits(entry.name)) continue
      if (++found > transcriptLimits.files) {
        yield { skipped: { path: folder, why: 'too many files' } }
        return
      }
      yield await looked(path, entry)
    }
  }
}

async function looked(path: string, entry: Dirent): Promise<FoundFile> {
  if (entry.isSymbolicLink()) return { skipped: { path, why: 'a link' } }
  if (!entry.isFile()) return { skipped: { path, why: 'not a file' } }
  try {
    return { path, stat: await lstat(path) }
  } catch {
    return { skipped: { path, why: 'unreadable' } }
  }
}

async function entriesOf(path: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true })
    return entries.toSorted((left, right) => (left.name < right.name ? -1 : 1))
  } catch {
    return []
  }
}

import { type Dirent, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ProtectedPath } from './protected-paths.ts'

const maxFiles = 100_000

let known: { readonly key: string; readonly files: ReadonlySet<string> } | undefined

/**
 * Whether a file is one of our program under another name: a hard link. Package managers make many
 * of them, so that all files are looked at once, when the first call changes such a file.
 */
export function isProgramFile(path: string, program: readonly ProtectedPath[]): boolean {
  const file = statSync(path, { throwIfNoEntry: false })
  if (file === undefined || !file.isFile() || file.nlink < 2) return false
  const key = program.map(({ path }) => keyOf(path)).join('\n')
  if (known?.key !== key) known = { key, files: filesOf(program.map((own) => own.path)) }
  return known.files.has(`${file.dev}:${file.ino}`)
}

/** An installation that takes the place of another one has other files under the same path. */
function keyOf(path: string): string {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    return [path, found?.ino, found?.mtimeMs].join(' ')
  } catch {
    return path
  }
}

/** Those with more than one name, by what the file system calls them. */
function filesOf(paths: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>()
  const waiting = [...paths]
  let left = maxFiles
  for (let at = waiting.pop(); at !== undefined && left > 0; at = waiting.pop(), left--) {
    const inner = entriesOf(at)
    if (inner === undefined) {
      const file = statSync(at, { throwIfNoEntry: false })
      if (file !== undefined && file.nlink > 1) found.add(`${file.dev}:${file.ino}`)
    } else waiting.push(...inner.filter((one) => !one.isSymbolicLink()).map(pathOf))
  }
  return found
}

/** What lies in a folder; undefined for a file, and for what cannot be looked into. */
function entriesOf(path: string): Dirent[] | undefined {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch {
    return undefined
  }
}

function pathOf(entry: Dirent): string {
  return join(entry.parentPath, entry.name)
}

import { type Dirent, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { ProtectedPath } from './protected-paths.ts'

const maxFiles = 100_000

interface ProgramFiles {
  readonly key: string
  /** Those with more than one name, by what the file system calls them. */
  readonly linked: ReadonlySet<string>
  readonly names: ReadonlySet<string>
}

let known: ProgramFiles | undefined

/**
 * Whether a file is one of our program under another name: a hard link. Package managers make many
 * of them, so that all files are looked at once, when the first call changes such a file.
 */
export function isProgramFile(path: string, program: readonly ProtectedPath[]): boolean {
  const file = statSync(path, { throwIfNoEntry: false })
  if (file === undefined || !file.isFile() || file.nlink < 2) return false
  return knownFiles(program).linked.has(`${file.dev}:${file.ino}`)
}

/** Whether one of its files has a name that is meant. */
export function hasFileNamed(
  program: readonly ProtectedPath[],
  isMeant: (name: string) => boolean,
): boolean {
  return [...knownFiles(program).names].some(isMeant)
}

function knownFiles(program: readonly ProtectedPath[]): ProgramFiles {
  const key = program.map(({ path }) => keyOf(path)).join('\n')
  if (known?.key !== key) known = { key, ...filesOf(program.map((own) => own.path)) }
  return known
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

function filesOf(paths: readonly string[]): Omit<ProgramFiles, 'key'> {
  const linked = new Set<string>()
  const names = new Set<string>()
  const waiting = [...paths]
  let left = maxFiles
  for (let at = waiting.pop(); at !== undefined && left > 0; at = waiting.pop(), left--) {
    const inner = entriesOf(at)
    if (inner === undefined) {
      names.add(basename(at))
      const file = statSync(at, { throwIfNoEntry: false })
      if (file !== undefined && file.nlink > 1) linked.add(`${file.dev}:${file.ino}`)
    } else waiting.push(...inner.filter((one) => !one.isSymbolicLink()).map(pathOf))
  }
  return { linked, names }
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

import { readdirSync } from 'node:fs'
import { isAbsolute, join, sep } from 'node:path'
import { hasWildcard, segmentMatches } from './path-match.ts'
import { withStars } from './searched-folders.ts'

/** Of folders and patterns together; of more files nobody reads all before they say yes. */
const maxFiles = 500
const maxFolders = 200

/**
 * Files that a command means without naming them: those of a pattern and, below the folder where
 * it stands or elsewhere, those of a folder. Null where there are too many.
 */
export function meantFiles(
  command: string,
  folders: readonly string[],
  base: string,
): readonly string[] | null {
  const matches = [...patternsIn(command)].flatMap((pattern) => expanded(pattern, base))
  const walk: Walk = { files: [], folders: 0 }
  for (const path of new Set([...matches, ...folders])) {
    // The project itself changes all the time, under the hands of anyone who waits for an answer.
    if (!isAbove(path, base)) collect(path, walk)
    if (walk.files.length > maxFiles || walk.folders > maxFolders) return null
  }
  return walk.files
}

interface Walk {
  readonly files: string[]
  folders: number
}

function collect(path: string, walk: Walk): void {
  if (walk.files.length > maxFiles || walk.folders > maxFolders) return
  const names = namesIn(path)
  if (names === undefined) {
    walk.files.push(path)
    return
  }
  walk.folders += 1
  for (const name of names) collect(join(path, name), walk)
}

/** Words with a wildcard, as they stand there and with one for each variable. */
function patternsIn(command: string): Set<string> {
  const texts = [command.replaceAll(/\$\(|`/g, ' '), withStars(command)]
  const words = texts.flatMap((text) => text.split(/[\s'"`;|&<>()=,]+/))
  return new Set(words.filter((word) => hasWildcard(word) && !/^\*+$|\$|^-/.test(word)))
}

function expanded(pattern: string, base: string): readonly string[] {
  let found = [isAbsolute(pattern) ? sep : base]
  for (const segment of pattern.split('/').filter((part) => part !== '' && part !== '.')) {
    found = hasWildcard(segment)
      ? found.flatMap((folder) =>
          (namesIn(folder) ?? [])
            .filter((name) => segmentMatches(segment, name))
            .map((name) => join(folder, name)),
        )
      : found.map((folder) => join(folder, segment))
    if (found.length > maxFiles) return found.slice(0, maxFiles + 1)
  }
  return found
}

/** Undefined for what is no folder; a link counts as what it is. */
function namesIn(path: string): readonly string[] | undefined {
  try {
    return readdirSync(path).sort()
  } catch {
    return undefined
  }
}

function isAbove(path: string, base: string): boolean {
  return base === path || base.startsWith(path.endsWith(sep) ? path : path + sep)
}

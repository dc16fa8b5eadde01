import { dirname } from 'node:path'
import { folded, hasWildcard, segmentMatches } from './path-match.ts'

/** Paths that are known by how they end, in whichever folder they lie. */
export interface NamesAnywhere {
  readonly names: readonly string[]
  /** Whether a path is one of them, or lies in one. */
  has(path: string): boolean
  /** Whether a path ends where such a name goes on: a folder that would hold it. */
  isAbove(path: string): boolean
  /** Whether a path with wildcards was written for one of them. */
  mayHave(pattern: string): boolean
}

export function namesAnywhere(names: readonly string[]): NamesAnywhere {
  const endings = new RegExp(`/(?:${names.map(escaped).join('|')})(?:/|$)`)
  const folders = names.filter((name) => name.includes('/')).map((name) => dirname(name))
  const above = new RegExp(`/(?:${folders.map(escaped).join('|')})$`)
  const wanted = names.map((name) => folded(name).split('/'))
  return {
    names,
    has: (path) => endings.test(folded(path)),
    isAbove: (path) => above.test(folded(path)),
    mayHave(pattern) {
      const segments = folded(pattern).split('/')
      return wanted.some((name) =>
        segments.some((_, at) => isMeant(segments.slice(at, at + name.length), name)),
      )
    },
  }
}

function escaped(name: string): string {
  return folded(name)
    .replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '[^/]*')
}

/**
 * Each segment must begin as the name does: nearly every `*` could be a name of ours, and a shell
 * takes it for none that begins with a dot.
 */
function isMeant(globs: readonly string[], name: readonly string[]): boolean {
  if (globs.length !== name.length) return false
  return name.every((part, index) => {
    const glob = globs[index] ?? ''
    if (!hasWildcard(glob)) return glob === part
    const start = glob.slice(0, glob.search(/[*?[]/))
    return start.length >= 2 && part.startsWith(start) && segmentMatches(glob, part)
  })
}

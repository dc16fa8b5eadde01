import { folded, hasWildcard, liesIn } from './path-match.ts'
import { hasFileNamed } from './program-files.ts'
import type { ProtectedPath } from './protected-paths.ts'
import { meansName, type Sweep } from './swept-folders.ts'

/** The workspace itself is worked in every day. */
export function besideRoot(paths: readonly string[], root: string): string[] {
  return paths.filter((path) => folded(path) !== folded(root))
}

/** Whether a folder lies in a place of ours, or holds one or the room for one. */
export function isAround(path: string, guarded: readonly ProtectedPath[]): boolean {
  const text = folded(path)
  return guarded.some((kept) => liesIn(text, kept.folded) || liesIn(kept.folded, text))
}

/** Whether our program is one of the packages of a folder. */
export function holdsPackage(path: string, program: readonly ProtectedPath[]): boolean {
  const text = folded(path).replace(/\/$/, '')
  return program.some(({ folded: own }) => {
    if (liesIn(text, own)) return true
    return ['node_modules', 'lib/node_modules', 'bin'].some((inner) => {
      return liesIn(own, `${text}/${inner}`)
    })
  })
}

/** By the names of the files in it: anyone who means others does not mean it. */
export function sweepsProgram(sweep: Sweep, program: readonly ProtectedPath[]): boolean {
  const text = folded(sweep.path)
  if (hasWildcard(text)) return false
  const below = program.filter((own) => liesIn(own.folded, text))
  return below.length > 0 && hasFileNamed(below, (path) => meansName(sweep, path))
}

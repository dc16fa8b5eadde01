import type { Stats } from 'node:fs'
import type { PathShield } from '../../base/key-files.ts'
import type { RuntimeSettings } from '../../runtime/settings.ts'
import { folded, isLinkInto, liesIn } from './path-match.ts'
import {
  guardsAnywhere,
  keysAnywhere,
  type ProtectedPath,
  protectedPathsOf,
} from './protected-paths.ts'

/** Answers by what is protected around one workspace, links followed. */
export function pathShield(settings: RuntimeSettings, workspace: string): PathShield {
  const { untouchable, unchangeable, program } = protectedPathsOf(settings, workspace)
  const targets = untouchable.map(({ path }) => path)
  const hides = (path: string, file?: Stats) =>
    keysAnywhere.has(path) || liesInOne(path, untouchable) || isLinkInto(file, () => targets)
  return {
    hides,
    fixes: (path) =>
      hides(path) ||
      guardsAnywhere.has(path) ||
      liesInOne(path, unchangeable) ||
      liesInOne(path, program),
  }
}

function liesInOne(path: string, guarded: readonly ProtectedPath[]): boolean {
  const text = folded(path)
  return guarded.some((own) => liesIn(text, own.folded))
}

import { groundOf } from '../../runtime/ground.ts'
import type { RuntimeSettings } from '../../runtime/settings.ts'
import type { ShellPlace } from '../../runtime/shell-place.ts'
import type { CageWishes } from '../../sandbox/cage.ts'

/** What a cage has to hide and to keep for a shell call of a run. */
export function cageWishes(
  settings: RuntimeSettings,
  place: ShellPlace,
  workspace: string,
  /** Protected paths that a person let this very call change. */
  mayChange: readonly string[],
): CageWishes {
  const { masked, unchangeable, asked } = groundOf(settings, workspace)
  return {
    workspace,
    mayWrite: place.mayWrite,
    network: place.network,
    hide: masked,
    keep: [...unchangeable, ...asked]
      .map((kept) => kept.path)
      .filter((path) => !mayChange.includes(path)),
  }
}

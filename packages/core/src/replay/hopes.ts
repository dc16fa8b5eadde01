import { own } from '../base/own.ts'
import { standingOf, type World } from './world.ts'

/** Where the agent would stand if commands of unknown end had ended so. */
export interface Hope {
  readonly world: World
  readonly assumes: Readonly<Record<string, End>>
}

type End = 'success' | 'failure'

/** Only the newest run of a command counts as evidence, so that few ends matter at once. */
export const maxHopes = 4

/** A command ended, nobody knows how: each world may have gone on in two ways. */
export function newHopes(
  world: World,
  hopes: readonly Hope[],
  call: { readonly id: string; readonly finish: (of: World, end: End) => World },
): readonly Hope[] {
  const { id, finish } = call
  const ends: readonly End[] = ['success', 'failure']
  return [{ world, assumes: {} }, ...hopes]
    .flatMap(({ world: of, assumes }) =>
      ends.map((end) => ({ world: finish(of, end), assumes: { ...assumes, [id]: end } })),
    )
    .slice(0, maxHopes)
}

/**
 * A command has a known end: what assumed otherwise is wrong, what assumed only that is how it
 * was, and what stands as the agent really does is no other world any more.
 */
export function settledHopes(
  world: World,
  hopes: readonly Hope[],
  { id, exit }: { readonly id: string; readonly exit: End },
): { readonly world: World; readonly hopes: readonly Hope[] } {
  const left = hopes
    .filter(({ assumes }) => (own(assumes, id) ?? exit) === exit)
    .map((hope) => {
      const { [id]: _, ...assumes } = hope.assumes
      return { ...hope, assumes }
    })
  const sure = left.find(({ assumes }) => Object.keys(assumes).length === 0)?.world ?? world
  const standing = standingOf(sure)
  return { world: sure, hopes: left.filter((hope) => standingOf(hope.world) !== standing) }
}

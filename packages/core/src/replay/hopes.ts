import { own } from '../base/own.ts'
import { standingOf, type World, wholeStandingOf } from './world.ts'

/** Where the agent would stand if commands of unknown end had ended in one of these ways. */
export interface Hope {
  readonly world: World
  readonly assumes: readonly Ends[]
}

/** How commands ended, by the ids of their calls. */
type Ends = Readonly<Record<string, End>>
type End = 'success' | 'failure'

export interface Hopes {
  readonly hopes: readonly Hope[]
  /** There were more ways than are played: what is denied in all of these may still be allowed. */
  readonly isCut: boolean
}

/** Only the newest run of a command counts as evidence, so that few ends matter at once. */
export const maxHopes = 8
const maxWays = 256

/** A command ended, nobody knows how: each world may have gone on in two ways. */
export function newHopes(
  world: World,
  hopes: readonly Hope[],
  call: { readonly id: string; readonly finish: (of: World, end: End) => World },
): Hopes {
  const { id, finish } = call
  const ends: readonly End[] = ['success', 'failure']
  const all = [{ world, assumes: [{}] }, ...hopes].flatMap(({ world: of, assumes }) =>
    ends.map((end) => ({
      world: finish(of, end),
      assumes: assumes.map((ways) => ({ ...ways, [id]: end })),
    })),
  )
  return bounded(joined(all))
}

/** Worlds that stand alike go on alike, whichever way led there. */
function joined(hopes: readonly Hope[]): readonly Hope[] {
  const byStanding = new Map<string, Hope>()
  for (const { world, assumes } of hopes) {
    const standing = wholeStandingOf(world)
    const known = byStanding.get(standing)
    byStanding.set(standing, { world, assumes: [...(known?.assumes ?? []), ...assumes] })
  }
  return [...byStanding.values()]
}

function bounded(hopes: readonly Hope[]): Hopes {
  const isCut = hopes.length > maxHopes || hopes.some(({ assumes }) => assumes.length > maxWays)
  const kept = hopes.slice(0, maxHopes).map(({ world, assumes }) => {
    return { world, assumes: assumes.slice(-maxWays) }
  })
  return { hopes: kept, isCut }
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
    .map((hope) => ({ ...hope, assumes: settledWays(hope.assumes, id, exit) }))
    .filter(({ assumes }) => assumes.length > 0)
  const isSure = ({ assumes }: Hope) => assumes.some((ways) => Object.keys(ways).length === 0)
  const sure = left.find(isSure)?.world ?? world
  const standing = standingOf(sure)
  return { world: sure, hopes: left.filter((hope) => standingOf(hope.world) !== standing) }
}

function settledWays(assumes: readonly Ends[], id: string, exit: End): Ends[] {
  const right = assumes.filter((ways) => (own(ways, id) ?? exit) === exit)
  return right.map(({ [id]: _, ...ways }) => ways)
}

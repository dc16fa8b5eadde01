import type { Simulated } from '../history/simulation.ts'
import type { RunSnapshot } from '../run/snapshot.ts'
import { isLess, type Spot } from './barren-moves.ts'
import type { ReachedSituation, SearchOptions, SearchResult, Way, WayStep } from './search-terms.ts'
import { situation, type Watched } from './situation.ts'
import { Trial } from './trial.ts'
import type { Passage } from './watch.ts'

/** Looks at every situation that a run can come into, nearest first (PV-2). */
export function search(options: SearchOptions): SearchResult {
  const { start, watch, bounds } = options
  const first = watch.start(start)
  const known = new SituationIndex(options.watched)
  const { reached } = known
  const ways: Way[][] = []
  const found = (rest: Partial<SearchResult>): SearchResult => ({
    ...{ reached, ways, expanded: ways.length, bound: null, violation: null },
    ...rest,
  })
  if (first.violated) return found({ violation: [] })
  const begun = { play: lean(start), memory: first.memory, from: -1, move: null }
  known.add({ ...begun, assumed: [], depth: 0 })
  const trial = new Trial(options)
  for (let index = 0; index < reached.length; index++) {
    const node = reached[index]
    if (node === undefined) break
    const spot = known.spotOf(index)
    const passages = trial.passagesFrom(node, spot)
    if (typeof passages === 'string') return found({ bound: passages })
    const next: Way[] = []
    for (const passage of passages) {
      const noted = watch.pass(passage, node.memory)
      const { after, move, assumed = [] } = passage
      if (noted.violated) {
        return found({ violation: [...wayTo(reached, index), { move, after, assumed }] })
      }
      if (isSame(passage) && noted.memory === node.memory) continue
      const depth = node.depth + 1
      const { memory } = noted
      const to = known.add({ play: lean(after), memory, from: index, move, assumed, depth })
      const way = { to, isSure: trial.isSure(passage), isAssumed: assumed.length > 0 }
      trial.noteLed(passage, way, index)
      if (options.keepsWays === true) next.push(way)
    }
    trial.noteBarren(spot)
    ways.push(next)
    if (reached.length > bounds.situations) return found({ bound: 'situations' })
    if (trial.count > bounds.moves) return found({ bound: 'moves' })
  }
  return found({})
}

/** Situations by their keys. */
class SituationIndex {
  readonly reached: ReachedSituation[] = []
  readonly #spots: Spot[] = []
  readonly #watched: Watched
  readonly #byKey = new Map<
    string,
    { readonly used: readonly number[]; readonly index: number }[]
  >()

  constructor(watched: Watched) {
    this.#watched = watched
  }

  /** The number of the situation, which may have been there before. */
  add(one: ReachedSituation): number {
    const { key, base, counted, used } = situation(one.play, this.#watched)
    const whole = `${key}\n${one.memory}`
    const alike = this.#byKey.get(whole) ?? []
    const same = alike.find((other) => isLess(other.used, used))
    if (same !== undefined) return same.index
    const index = this.reached.push(one) - 1
    const kept = alike.filter((other) => !isLess(used, other.used))
    this.#byKey.set(whole, [...kept, { used, index }])
    this.#spots.push({ base, counts: [...counted, ...used] })
    return index
  }

  spotOf(index: number): Spot {
    return this.#spots[index] ?? { base: '', counts: [] }
  }
}

/** The moves that led to a situation. */
export function wayTo(reached: readonly ReachedSituation[], index: number): WayStep[] {
  const way: WayStep[] = []
  for (let one = reached[index]; one !== undefined; one = reached[one.from]) {
    const { move, play: after, assumed } = one
    if (move !== null) way.unshift({ move, after, assumed })
  }
  return way
}

function isSame({ before, after }: Passage): boolean {
  return after.run === before.run && after.changedFiles === before.changedFiles
}

/** Calls that are done, entries and the last step are not needed any more. */
function lean(play: Simulated): Simulated {
  const { run, last } = play
  const calls = run.calls.filter(({ status }) => status !== 'done')
  const kept: RunSnapshot = calls.length === run.calls.length ? run : { ...run, calls }
  return { ...play, run: kept, entries: [], last: { ...last, entries: [], run: kept } }
}

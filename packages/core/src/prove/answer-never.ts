import type { Simulated } from '../history/simulation.ts'
import { waysAbout } from './about-call.ts'
import { boundOf, type ProofAnswer } from './answer.ts'
import { assumptions, gaps } from './answer-terms.ts'
import { BarrenMoves } from './barren-moves.ts'
import type { Bounds } from './bounds.ts'
import { makeMove } from './moves.ts'
import { refuted, refutedIf } from './refuted.ts'
import type { SampleCall } from './sample-call.ts'
import { search } from './search.ts'
import type { SearchOptions, SearchResult, WayStep } from './search-terms.ts'
import type { Beginning, Study } from './study.ts'
import type { Watch } from './watch.ts'

/**
 * Looks for a way to what a watch objects to. First with conditions as they are on the calls that
 * are tried: what is found so does happen. Then with conditions that come out either way: what is
 * not found so never happens (PV-11).
 */
export function answerNever(
  studied: Study,
  watch: Watch,
  bounds: Bounds,
  claimed: Pick<SearchOptions, 'alsoTry' | 'events'> = {},
  call?: SampleCall,
): ProofAnswer {
  const { real, free } = studied
  const plain = lookFrom(real, studied, { watch, bounds, ...claimed })
  if (plain.violation !== null) return refuted(studied, plain.violation, plain.reached.length)
  const found = free === null ? plain : lookFrom(free, studied, { watch, bounds, ...claimed })
  const situations = found.reached.length
  if (found.violation !== null) {
    const ways = [found.violation, ...waysAbout(studied, found.violation, call)]
    for (const way of ways) {
      const played = playedFrom(real.start, way)
      if (isViolated(watch, real.start, played)) return refuted(studied, played, situations)
    }
    return refutedIf(studied, ways[1] ?? found.violation, situations)
  }
  return answerUnseen(studied, found, bounds)
}

/** What was not found never happens, if everything was looked at. */
export function answerUnseen(studied: Study, found: SearchResult, bounds: Bounds): ProofAnswer {
  const situations = found.reached.length
  const open = [...boundOf(found, bounds), ...gaps(studied)]
  if (open.length > 0) return { verdict: 'not_decided', situations, why: open.join(' ') }
  return { verdict: 'proved', situations, assumes: assumptions(studied, 'never') }
}

/** Claims differ in what they remember, not in what a move can do. */
const barren = new WeakMap<Simulated, BarrenMoves>()

export function barrenFrom(start: Simulated): BarrenMoves {
  const known = barren.get(start) ?? new BarrenMoves()
  barren.set(start, known)
  return known
}

export function lookFrom(
  { start, readings, tried }: Beginning,
  { data, calls, reads, real }: Study,
  options: Pick<SearchOptions, 'watch' | 'bounds' | 'alsoTry' | 'events'>,
): SearchResult {
  const factValues = start === real.start
  return search({
    ...{ start, readings, data, calls, tried, barren: barrenFrom(start), ...options },
    usesLimits: false,
    watched: { reads, changing: calls.changing, calls: 'least', files: 'least', factValues },
  })
}

/** The same moves, with conditions as they are. */
export function playedFrom(start: Simulated, way: readonly WayStep[]): WayStep[] {
  let play = start
  return way.map(({ move }, index) => {
    play = makeMove(play, move, 1001 + index)
    return { move, after: play, assumed: [] }
  })
}

function isViolated(watch: Watch, start: Simulated, way: readonly WayStep[]): boolean {
  let before = start
  let { memory, violated } = watch.start(start)
  for (const { move, after } of way) {
    if (violated) return true
    const noted = watch.pass({ before, move, after }, memory)
    memory = noted.memory
    violated = noted.violated
    before = after
  }
  return violated
}

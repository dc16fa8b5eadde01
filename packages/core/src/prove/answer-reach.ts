import { hasEnded, type RunSnapshot } from '../run/snapshot.ts'
import { boundOf, type ProofAnswer } from './answer.ts'
import { barrenFrom, playedFrom } from './answer-never.ts'
import { assumptions, gaps } from './answer-terms.ts'
import type { Bounds } from './bounds.ts'
import type { CompiledReach } from './compile-claim.ts'
import { refuted, refutedIf } from './refuted.ts'
import { search, wayTo } from './search.ts'
import type { SearchResult, Way, WayStep } from './search-terms.ts'
import { type Counting, situation, type Watched } from './situation.ts'
import type { Beginning, Study } from './study.ts'
import type { Watch } from './watch.ts'
import { hasArrived } from './watch-claim.ts'

/**
 * First as if nothing were counted, and nobody could count on what a limit may close: that is much
 * less to look at, and mostly enough. Else as if files were never counted; exactly if that fails.
 */
export function answerReach(studied: Study, claim: CompiledReach, bounds: Bounds): ProofAnswer {
  if (studied.uncounted !== null) {
    const uncounted = explore(studied, bounds, 'uncounted')
    if (uncounted.bound === null && stuckWay(uncounted, claim, (way) => way.isSure) === null) {
      return notStuck(uncounted, studied, claim, bounds)
    }
  }
  const found = explore(studied, bounds, 'none')
  const stuck = stuckWay(found, claim, (way) => way.isSure)
  // What is stuck is so for certain only where all that can happen was tried.
  if (stuck === null || gaps(studied).length > 0) return notStuck(found, studied, claim, bounds)
  const situations = found.reached.length
  if (!studied.limitsFiles) return stuckAnswer(studied, stuck, situations)
  // What is stuck even if it could change any file is so for certain, where a run comes there.
  const certain = stuckWay(found, claim, () => true) ?? []
  const played = playedFrom(studied.real.start, certain)
  if (certain.length > 0 && isSameEnd(studied, played, certain)) {
    return refuted(studied, played, situations)
  }
  const exact = explore(studied, bounds, 'exact')
  const way = stuckWay(exact, claim, () => true)
  return way === null
    ? notStuck(exact, studied, claim, bounds)
    : stuckAnswer(studied, way, exact.reached.length)
}

function stuckWay(
  found: SearchResult,
  claim: CompiledReach,
  isWay: (way: Way) => boolean,
): readonly WayStep[] | null {
  const stuck = stuckAt(found, claim, isWay)
  return stuck === null ? null : wayTo(found.reached, stuck)
}

function notStuck(
  found: SearchResult,
  studied: Study,
  claim: CompiledReach,
  bounds: Bounds,
): ProofAnswer {
  const situations = found.reached.length
  const open = [...boundOf(found, bounds), ...gaps(studied)]
  if (open.length > 0) return { verdict: 'not_decided', situations, why: open.join(' ') }
  const isFree = stuckAt(found, claim, (way) => way.isSure && !way.isAssumed) !== null
  return { verdict: 'proved', situations, assumes: assumptions(studied, 'reach', isFree) }
}

/** Where no answer of any condition helps; whether a run comes there may hang on some (PV-11). */
function stuckAnswer(studied: Study, way: readonly WayStep[], situations: number): ProofAnswer {
  if (way.every(({ assumed }) => assumed.length === 0)) return refuted(studied, way, situations)
  const played = playedFrom(studied.real.start, way)
  return isSameEnd(studied, played, way)
    ? refuted(studied, played, situations)
    : refutedIf(studied, way, situations)
}

/** Whether the moves lead to the same end under the rules as they are. */
function isSameEnd(studied: Study, ...ways: readonly (readonly WayStep[])[]): boolean {
  const watched = watchedBy(studied, 'none')
  const [here, there] = ways.map((way) => {
    return situation(way.at(-1)?.after ?? studied.real.start, watched).key
  })
  return here === there
}

/** Whether files are counted, or not even calls. */
type Exactness = 'exact' | 'none' | 'uncounted'

/** Several claims are answered from one look at everything. */
const explored = new WeakMap<Study, Map<string, SearchResult>>()

/** Every situation with the ways between them, used limits included. */
function explore(studied: Study, bounds: Bounds, files: Exactness): SearchResult {
  const known = explored.get(studied) ?? new Map<string, SearchResult>()
  explored.set(studied, known)
  const key = JSON.stringify([bounds, files])
  const one = known.get(key) ?? exploreOnce(studied, bounds, files)
  known.set(key, one)
  return one
}

function exploreOnce(studied: Study, bounds: Bounds, files: Exactness): SearchResult {
  const { program, data, calls, callsMatter } = studied
  const beginning = beginningOf(studied, files)
  const all = studied.free ?? studied.real
  return search({
    ...{ ...beginning, data, calls, bounds, watch: unwatched },
    ...(beginning === all ? {} : { limited: program }),
    ...(countsNothing(studied) ? { barren: barrenFrom(beginning.start) } : {}),
    usesLimits: callsMatter,
    watched: watchedBy(studied, files === 'exact' ? 'exact' : 'none'),
    keepsWays: true,
  })
}

/** Then a move does the same here as where something must never happen. */
function countsNothing({ program, free, uncounted, limitsFiles }: Study): boolean {
  if (free !== null || uncounted !== null || limitsFiles) return false
  return [...program.machines.values()].every(({ facts }) => facts.length === 0)
}

function beginningOf({ real, free, loose, uncounted }: Study, files: Exactness): Beginning {
  if (files === 'exact') return free ?? real
  return files === 'uncounted' && uncounted !== null ? uncounted : loose
}

const unwatched: Watch = {
  start: () => ({ memory: '', violated: false }),
  pass: () => ({ memory: '', violated: false }),
}

function watchedBy({ reads, calls, callsMatter }: Study, files: Counting): Watched {
  const counting = callsMatter ? 'exact' : 'none'
  return { reads, changing: calls.changing, calls: counting, files, factValues: false }
}

/**
 * The nearest live situation from which no way leads to a goal; null when there is none. Where the
 * search was cut off, what was not tried counts as a way to anywhere.
 */
function stuckAt(
  { reached, ways, expanded }: SearchResult,
  claim: CompiledReach,
  isWay: (way: Way) => boolean,
): number | null {
  const back: number[][] = reached.map(() => [])
  for (const [from, targets] of ways.entries()) {
    for (const way of targets) if (isWay(way)) back[way.to]?.push(from)
  }
  const good = reached.map(({ play }, index) => {
    return index >= expanded || hasArrived(play, claim.states)
  })
  const waiting = good.flatMap((isGood, index) => (isGood ? [index] : []))
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    for (const from of back[index] ?? []) {
      if (good[from] === true) continue
      good[from] = true
      waiting.push(from)
    }
  }
  const stuck = reached.findIndex(({ play: { run } }, index) => {
    return !good[index] && !hasEnded(run.status) && !isBetween(run)
  })
  return stuck < 0 ? null : stuck
}

/** A call was asked about and not yet made: where that leads is seen a move later. */
function isBetween({ asks }: RunSnapshot): boolean {
  return asks.some(({ status }) => status === 'waiting' || status === 'approved')
}

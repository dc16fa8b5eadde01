import { hasEnded, type RunSnapshot } from '../run/snapshot.ts'
import { boundOf, type ProofAnswer } from './answer.ts'
import { playedFrom } from './answer-never.ts'
import { assumptions, gaps } from './answer-terms.ts'
import type { CompiledReach } from './compile-claim.ts'
import { refuted, refutedIf } from './refuted.ts'
import { type Bounds, type Found, search, type Way, type WayStep, wayTo } from './search.ts'
import { type Counting, situation, type Watched } from './situation.ts'
import { Sightings } from './standing.ts'
import type { Study } from './study.ts'
import { hasArrived } from './watch-claim.ts'

/** First with the least use of files, which is much less to look at; exactly where that fails. */
export function answerReach(studied: Study, claim: CompiledReach, bounds: Bounds): ProofAnswer {
  const { found } = explore(studied, bounds, 'least')
  const rough = reachIn(found, studied, claim, bounds, (way) => way.isSure)
  if (!isRefuted(rough) || !limitsFiles(studied)) return rough
  // What is stuck even if it could change any file is stuck for certain.
  const certain = reachIn(found, studied, claim, bounds)
  return isRefuted(certain)
    ? certain
    : reachIn(explore(studied, bounds, 'exact').found, studied, claim, bounds)
}

function isRefuted({ verdict }: ProofAnswer): boolean {
  return verdict === 'refuted' || verdict === 'refuted_if'
}

function limitsFiles({ program }: Study): boolean {
  const states = [...program.machines.values()].flatMap((machine) => [...machine.states.values()])
  return states.some(({ maxFiles }) => Number.isFinite(maxFiles))
}

function reachIn(
  found: Found,
  studied: Study,
  claim: CompiledReach,
  bounds: Bounds,
  isWay: (way: Way) => boolean = () => true,
): ProofAnswer {
  const situations = found.reached.length
  const isGoal = (index: number) => {
    const play = found.reached[index]?.play
    return play !== undefined && hasArrived(play, claim.states)
  }
  const stuck = stuckAt(found, isGoal, isWay)
  const unsure = gaps(studied)
  // What is stuck is so for certain only where all that can happen was tried.
  if (stuck !== null && unsure.length === 0) {
    return stuckAnswer(studied, wayTo(found.reached, stuck), situations)
  }
  const open = [...boundOf(found, bounds), ...unsure]
  if (open.length > 0) return { verdict: 'not_decided', situations, why: open.join(' ') }
  const isFree = stuckAt(found, isGoal, (way) => isWay(way) && !way.isAssumed) !== null
  return { verdict: 'proved', situations, assumes: assumptions(studied, 'reach', isFree) }
}

/** Where no answer of any condition helps; whether a run comes there may hang on some (PV-11). */
function stuckAnswer(studied: Study, way: readonly WayStep[], situations: number): ProofAnswer {
  const { real } = studied
  if (way.every(({ assumed }) => assumed.length === 0)) return refuted(studied, way, situations)
  const watched = watchedBy(studied, 'exact')
  const played = playedFrom(real.start, way)
  const [here, there] = [played, way].map((steps) => {
    return situation(steps.at(-1)?.after ?? real.start, watched).key
  })
  return here === there ? refuted(studied, played, situations) : refutedIf(studied, way, situations)
}

/** Every situation with the ways between them, used limits included. */
export interface Explored {
  readonly found: Found
  readonly seen: Sightings
}

/** Several claims are answered from one look at everything. */
const explored = new WeakMap<Study, Map<string, Explored>>()

export function explore(studied: Study, bounds: Bounds, files: Counting): Explored {
  const known = explored.get(studied) ?? new Map<string, Explored>()
  explored.set(studied, known)
  const key = JSON.stringify([bounds, files])
  const one = known.get(key) ?? exploreOnce(studied, bounds, files)
  known.set(key, one)
  return one
}

function exploreOnce(studied: Study, bounds: Bounds, files: Counting): Explored {
  const { real, free, data, calls, callsMatter } = studied
  const seen = new Sightings()
  const found = search({
    ...{ ...(free ?? real), data, calls, bounds, watch: seen.watch },
    usesLimits: callsMatter,
    watched: watchedBy(studied, files),
    keepsWays: true,
  })
  return { found, seen }
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
  found: Found,
  isGoal: (index: number) => boolean,
  isWay: (way: Way) => boolean,
): number | null {
  const { reached, ways, expanded } = found
  const back: number[][] = reached.map(() => [])
  for (const [from, targets] of ways.entries()) {
    for (const way of targets) if (isWay(way)) back[way.to]?.push(from)
  }
  const good = reached.map((_, index) => index >= expanded || isGoal(index))
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

import { err, ok, type Result } from '../base/result.ts'
import type { Program } from '../machine/machine.ts'
import { hasEnded, type RunSnapshot } from '../run/snapshot.ts'
import { assumptions, gaps } from './answer-terms.ts'
import type { Claim } from './claim.ts'
import { type CompiledNever, type CompiledReach, compileClaim } from './compile-claim.ts'
import { type Counterexample, counterexample } from './counterexample.ts'
import type { SampleCall } from './sample-calls.ts'
import {
  type Bounds,
  type Found,
  type SearchOptions,
  search,
  usualBounds,
  type Way,
  wayTo,
} from './search.ts'
import type { Counting } from './situation.ts'
import {
  complaintsOf,
  Sightings,
  type StandingClaim,
  standingClaims,
  standingGaps,
  watchApprovals,
} from './standing.ts'
import { type Study, type StudyOptions, study } from './study.ts'
import type { Watch } from './watch.ts'
import { callsOfClaim, hasArrived, watchNever } from './watch-claim.ts'

/** What the search has to say of a claim. Nothing else passes for "proved" (PV-1). */
export type ProofAnswer =
  | { readonly verdict: 'proved'; readonly situations: number; readonly assumes: readonly string[] }
  | {
      readonly verdict: 'refuted'
      readonly situations: number
      /** The shortest way to it; a claim that something can happen has none to show. */
      readonly counterexample?: Counterexample
      readonly why?: string
    }
  | {
      readonly verdict: 'refuted_if'
      readonly situations: number
      readonly conditions: readonly string[]
      readonly counterexample: Counterexample
    }
  | { readonly verdict: 'not_decided'; readonly situations: number; readonly why: string }

export interface ProveOptions extends StudyOptions {
  readonly bounds?: Bounds
  /** All claims that will be asked about: their calls are among those that an agent may make. */
  readonly claims?: readonly Claim[]
}

/** Answers claims on every run of one program. */
export interface Prover {
  /** An error says which of its names is nowhere. */
  readonly prove: (claim: Claim) => Result<ProofAnswer, string>
  /** Of every claim that nobody has to write. */
  readonly standing: () => readonly StandingAnswer[]
}

export interface StandingAnswer {
  readonly claim: StandingClaim
  readonly text: string
  readonly answer: ProofAnswer
}

export function proverOf(program: Program, options: ProveOptions): Prover {
  const { bounds = usualBounds, claims = [], calls = [] } = options
  const named = [...calls, ...claims.flatMap(callOf)]
  let known: Study | undefined
  const studied = () => {
    known ??= study(program, { ...options, calls: named })
    return known
  }
  return {
    prove: (claim) => {
      const compiled = compileClaim(program, claim)
      if (!compiled.ok) return err(compiled.error)
      const { value } = compiled
      return ok(
        value.kind === 'never'
          ? answerNever(studied(), value, bounds)
          : answerReach(studied(), value, bounds),
      )
    },
    standing: () => answerStanding(studied(), bounds),
  }
}

function answerStanding(studied: Study, bounds: Bounds): StandingAnswer[] {
  const seen = new Sightings()
  const found = explore(studied, bounds, 'least', seen.watch)
  const answers: Record<StandingClaim, ProofAnswer> = {
    states: byComplaints('states', studied, bounds, found, seen),
    end: answerReach(studied, { kind: 'reach', states: [] }, bounds, found),
    guards: byComplaints('guards', studied, bounds, found, seen),
    interrupts: byComplaints('interrupts', studied, bounds, found, seen),
    forks: byComplaints('forks', studied, bounds, found, seen),
    approvals: answerSearch(studied, watchApprovals, bounds),
  }
  return standingNames.map((claim) => {
    return { claim, text: standingClaims[claim], answer: answers[claim] }
  })
}

/** What is nowhere seen does not happen, as long as everything was looked at. */
function byComplaints(
  claim: Exclude<StandingClaim, 'end' | 'approvals'>,
  studied: Study,
  bounds: Bounds,
  found: Found,
  seen: Sightings,
): ProofAnswer {
  const situations = found.reached.length
  const isSearched = claim !== 'interrupts'
  const complaints = complaintsOf(claim, studied, seen)
  const unsure = standingGaps(claim, studied, isSearched ? found : null)
  // What was seen is certain; that nothing else can be seen is so only after a whole search.
  const open = [...(isSearched ? boundOf(found, bounds) : []), ...unsure]
  if (complaints.length === 0 && (open.length === 0 || claim === 'states')) {
    return { verdict: 'proved', situations, assumes: assumptions(studied, 'reach') }
  }
  if (open.length > 0) return { verdict: 'not_decided', situations, why: open.join(' ') }
  return { verdict: 'refuted', situations, why: complaints.join(' ') }
}

function callOf({ never }: Claim): SampleCall[] {
  const call = never?.call
  return call === undefined ? [] : [{ tool: call.tool, input: call.input ?? {} }]
}

function answerNever(studied: Study, claim: CompiledNever, bounds: Bounds): ProofAnswer {
  return answerSearch(studied, watchNever(claim), bounds, callsOfClaim(claim))
}

function answerSearch(
  studied: Study,
  watch: Watch,
  bounds: Bounds,
  alsoTry: SearchOptions['alsoTry'] = () => [],
): ProofAnswer {
  const { start, data, calls, tried, reads } = studied
  const found = search({
    ...{ start, data, calls, tried, bounds, watch, alsoTry },
    usesLimits: false,
    watched: { reads, changing: calls.changing, calls: 'least', files: 'least' },
  })
  const situations = found.reached.length
  if (found.violation !== null) return refuted(studied, found.violation, situations)
  const open = [...boundOf(found, bounds), ...gaps(studied)]
  if (open.length > 0) return { verdict: 'not_decided', situations, why: open.join(' ') }
  return { verdict: 'proved', situations, assumes: assumptions(studied, 'never') }
}

const standingNames: readonly StandingClaim[] = [
  'states',
  'end',
  'guards',
  'interrupts',
  'forks',
  'approvals',
]

const unwatched: Watch = {
  start: () => ({ memory: '', violated: false }),
  pass: () => ({ memory: '', violated: false }),
}

/** First with the least use of files, which is much less to look at; exactly where that fails. */
function answerReach(
  studied: Study,
  claim: CompiledReach,
  bounds: Bounds,
  known?: Found,
): ProofAnswer {
  const found = known ?? explore(studied, bounds, 'least')
  const rough = reachIn(found, studied, claim, bounds, (way) => way.isSure)
  if (rough.verdict !== 'refuted' || !limitsFiles(studied)) return rough
  // What is stuck even if it could change any file is stuck for certain.
  const certain = reachIn(found, studied, claim, bounds)
  return certain.verdict === 'refuted'
    ? certain
    : reachIn(explore(studied, bounds, 'exact'), studied, claim, bounds)
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
    return refuted(studied, wayTo(found.reached, stuck), situations)
  }
  const open = [...boundOf(found, bounds), ...unsure]
  if (open.length > 0) return { verdict: 'not_decided', situations, why: open.join(' ') }
  return { verdict: 'proved', situations, assumes: assumptions(studied, 'reach') }
}

/** Every situation with the ways between them, used limits included. */
function explore(studied: Study, bounds: Bounds, files: Counting, watch: Watch = unwatched): Found {
  const { start, data, calls, tried, reads, callsMatter } = studied
  return search({
    ...{ start, data, calls, tried, bounds, watch },
    usesLimits: callsMatter,
    watched: { reads, changing: calls.changing, calls: callsMatter ? 'exact' : 'none', files },
    keepsWays: true,
  })
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

function refuted(
  studied: Study,
  moves: Parameters<typeof counterexample>[1],
  situations: number,
): ProofAnswer {
  return { verdict: 'refuted', situations, counterexample: counterexample(studied.start, moves) }
}

/** The bound that was met, in words. */
function boundOf({ bound }: Found, bounds: Bounds): string[] {
  if (bound === null) return []
  if (bound === 'data') return ['An event can be sent with more kinds of data than are tried.']
  const max = bounds[bound].toLocaleString('en-US')
  return [`There are more than ${max} ${bound === 'moves' ? 'moves to try' : 'situations'}.`]
}

import { err, ok, type Result } from '../base/result.ts'
import type { Program } from '../machine/machine.ts'
import { hasEnded, type RunSnapshot } from '../run/snapshot.ts'
import { assumptions, gaps } from './answer-terms.ts'
import type { Claim } from './claim.ts'
import { type CompiledNever, type CompiledReach, compileClaim } from './compile-claim.ts'
import { type Counterexample, counterexample } from './counterexample.ts'
import type { SampleCall } from './sample-calls.ts'
import { type Bounds, type Found, search, usualBounds, type Watch, wayTo } from './search.ts'
import type { Counting } from './situation.ts'
import { type Study, type StudyOptions, study } from './study.ts'
import { callsOfClaim, hasArrived, watchNever } from './watch-claim.ts'

/** What the search has to say of a claim. Nothing else passes for "proved" (PV-1). */
export type ProofAnswer =
  | { readonly verdict: 'proved'; readonly situations: number; readonly assumes: readonly string[] }
  | {
      readonly verdict: 'refuted'
      readonly situations: number
      readonly counterexample: Counterexample
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
  }
}

function callOf(claim: Claim): SampleCall[] {
  if (!('never' in claim) || !('call' in claim.never)) return []
  const { tool, input = {} } = claim.never.call
  return [{ tool, input }]
}

function answerNever(studied: Study, claim: CompiledNever, bounds: Bounds): ProofAnswer {
  const { start, data, calls, tried, reads } = studied
  const found = search({
    ...{ start, data, calls, tried, bounds },
    usesLimits: false,
    watched: { reads, changing: calls.changing, calls: 'least', files: 'least' },
    watch: watchNever(claim),
    alsoTry: callsOfClaim(claim),
  })
  const situations = found.reached.length
  if (found.violation !== null) return refuted(studied, found.violation, situations)
  const open = [...boundOf(found, bounds), ...gaps(studied)]
  if (open.length > 0) return { verdict: 'not_decided', situations, why: open.join(' ') }
  return { verdict: 'proved', situations, assumes: assumptions(studied, 'never') }
}

const unwatched: Watch = {
  start: () => ({ memory: '', violated: false }),
  pass: () => ({ memory: '', violated: false }),
}

/** First with the least use of files, which is much less to look at; exactly where that fails. */
function answerReach(studied: Study, claim: CompiledReach, bounds: Bounds): ProofAnswer {
  const rough = reachWith(studied, claim, bounds, 'least')
  return rough.verdict === 'refuted' ? reachWith(studied, claim, bounds, 'exact') : rough
}

function reachWith(
  studied: Study,
  claim: CompiledReach,
  bounds: Bounds,
  files: Counting,
): ProofAnswer {
  const found = explore(studied, bounds, files)
  const situations = found.reached.length
  const isGoal = (index: number) => {
    const play = found.reached[index]?.play
    return play !== undefined && hasArrived(play, claim.states)
  }
  const stuck = stuckAt(found, isGoal)
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
export function explore(
  studied: Study,
  bounds: Bounds,
  files: Counting,
  watch: Watch = unwatched,
): Found {
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
export function stuckAt(found: Found, isGoal: (index: number) => boolean): number | null {
  const { reached, ways, expanded } = found
  const back: number[][] = reached.map(() => [])
  for (const [from, targets] of ways.entries()) {
    for (const to of targets) back[to]?.push(from)
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
export function boundOf({ bound }: Found, bounds: Bounds): string[] {
  if (bound === null) return []
  if (bound === 'data') return ['An event can be sent with more kinds of data than are tried.']
  const most = bounds[bound].toLocaleString('en-US')
  return [`There are more than ${most} ${bound === 'moves' ? 'moves to try' : 'situations'}.`]
}

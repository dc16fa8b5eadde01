import { err, ok, type Result } from '../base/result.ts'
import type { Program } from '../machine/machine.ts'
import type { ProofAnswer } from './answer.ts'
import { answerNever } from './answer-never.ts'
import { answerReach } from './answer-reach.ts'
import { answerStanding, type StandingAnswer } from './answer-standing.ts'
import { type Bounds, usualBounds } from './bounds.ts'
import type { Claim } from './claim.ts'
import { compileClaim } from './compile-claim.ts'
import type { SampleCall } from './sample-call.ts'
import type { StandingClaim } from './standing.ts'
import { type Study, type StudyOptions, study } from './study.ts'
import { callsOfClaim, eventsOfClaim, watchNever } from './watch-claim.ts'

export interface ProveOptions extends StudyOptions {
  readonly bounds?: Bounds
  /** All claims that will be asked about: their calls are among those that an agent may make. */
  readonly claims?: readonly Claim[]
}

/** Answers claims on every run of one program. */
export interface Prover {
  /** An error says which of its names is nowhere. */
  readonly prove: (claim: Claim) => Result<ProofAnswer, string>
  /** Of the claims that nobody has to write: all, or those that are named. */
  readonly standing: (only?: readonly StandingClaim[]) => readonly StandingAnswer[]
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
          ? answerNever(
              studied(),
              watchNever(value),
              bounds,
              { alsoTry: callsOfClaim(value), events: eventsOfClaim(value) },
              callOf(claim)[0],
            )
          : answerReach(studied(), value, bounds),
      )
    },
    standing: (only) => answerStanding(studied(), bounds, only),
  }
}

function callOf({ never }: Claim): SampleCall[] {
  const call = never?.call
  return call === undefined ? [] : [{ tool: call.tool, input: call.input ?? {} }]
}

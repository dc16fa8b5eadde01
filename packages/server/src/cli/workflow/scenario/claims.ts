import {
  type Claim,
  claimText,
  describeFor,
  err,
  ok,
  type ProgramTable,
  type ProofAnswer,
  type Prover,
  proverOf,
  type Result,
} from '@statewright/core/internal'
import { endOf } from './play.ts'
import type { ReadScenarios } from './read.ts'

/** A claim and what came of it. */
export interface ProvedClaim {
  readonly name: string
  readonly line: number
  readonly answer: ProofAnswer
}

/** A claim that names something that is not there. */
export interface ClaimFault {
  readonly line: number
  readonly message: string
}

/** Searches the definition of a scenario file; the calls of its stories are among those tried. */
export function proverFor(
  { file, program }: Pick<ReadScenarios, 'file' | 'program'>,
  { root, programs }: { readonly root: string; readonly programs: ProgramTable },
): Prover {
  const steps = (file.scenarios ?? []).flatMap((scenario) => scenario.steps)
  const calls = steps.flatMap((step) => {
    const { tool, input = {} } = step
    if (tool === undefined) return []
    const { exit, result } = endOf(step)
    return [exit === 'success' ? { tool, input, result } : { tool, input }]
  })
  return proverOf(program, {
    describe: (call) => describeFor(program, call, { root, shell: { programs } }),
    strict: file.strict,
    claims: file.claims ?? [],
    calls,
  })
}

/** Answers the claims of a scenario file, in their order. */
export function proveClaims(
  { file, lineOf }: ReadScenarios,
  prover: Prover,
): Result<readonly ProvedClaim[], ClaimFault> {
  const proved: ProvedClaim[] = []
  for (const [index, claim] of (file.claims ?? []).entries()) {
    const line = lineOf(['claims', index, firstKey(claim)])
    const answer = prover.prove(claim)
    if (!answer.ok) return err({ line, message: answer.error })
    proved.push({ name: claimText(claim), line, answer: answer.value })
  }
  return ok(proved)
}

function firstKey(claim: Claim): string {
  return Object.keys(claim)[0] ?? 'name'
}

import type { ProofAnswer } from './answer.ts'
import { counterexample } from './counterexample.ts'
import type { Assumed } from './free-conditions.ts'
import type { WayStep } from './search-terms.ts'
import type { Study } from './study.ts'

/** A way that does happen. */
export function refuted({ real }: Study, way: readonly WayStep[], situations: number): ProofAnswer {
  return { verdict: 'refuted', situations, counterexample: counterexample(real.start, way) }
}

/** A way that happens where conditions come out so. */
export function refutedIf(
  { real }: Study,
  way: readonly WayStep[],
  situations: number,
): ProofAnswer {
  const conditions = [...new Set(way.flatMap(({ assumed }) => assumed).map(conditionText))]
  return {
    verdict: 'refuted_if',
    situations,
    conditions,
    counterexample: counterexample(real.start, way),
  }
}

function conditionText({ text, holds }: Assumed): string {
  return holds ? text : `not (${text})`
}

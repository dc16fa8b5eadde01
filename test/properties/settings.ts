import fc from 'fast-check'
import { lengthOf, seedOf } from '../../packages/server/testing/length.ts'

/** A usual run is the same for everybody; whoever looks for more takes other seeds. */
const usualSeed = 20_261_115

/** How often a property is tried, and from where. A failure prints the seed it was found by. */
function tries(sample: number): fc.Parameters<unknown> {
  return { numRuns: lengthOf({ sample, long: sample * 50 }), seed: seedOf(usualSeed) }
}

/** Checks a claim about every value of an arbitrary. */
export function always<Value>(
  sample: number,
  values: fc.Arbitrary<Value>,
  claim: (value: Value) => void,
): void {
  fc.assert(fc.property(values, claim), tries(sample) as fc.Parameters<[Value]>)
}

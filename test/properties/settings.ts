import fc from 'fast-check'

/** A usual run is the same for everybody; whoever looks for more takes other seeds. */
const usualSeed = 20_261_115

/**
 * How often a property is tried, and from where: `SW_RUNS` sets the number of tries for every
 * property, `SW_SEED` the seed (a number, or `random`). A failure prints the seed it was found by.
 */
export function tries(usual: number): fc.Parameters<unknown> {
  const { SW_RUNS: runs, SW_SEED: seed } = process.env
  const numRuns = runs ? Number(runs) : usual
  if (seed === 'random') return { numRuns }
  return { numRuns, seed: seed ? Number(seed) : usualSeed }
}

/** Vitest stops a long run by hand after this time, not a usual one. */
export const longestMs = 3_600_000

/** Checks a claim about every value of an arbitrary. */
export function always<Value>(
  usual: number,
  values: fc.Arbitrary<Value>,
  claim: (value: Value) => void,
): void {
  fc.assert(fc.property(values, claim), tries(usual) as fc.Parameters<[Value]>)
}

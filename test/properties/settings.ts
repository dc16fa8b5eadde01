import fc from 'fast-check'

/**
 * How often a property is tried, and from where. `SW_RUNS` sets the number of tries for every
 * property and `SW_SEED` the seed, which fast-check prints when a property fails.
 */
export function tries(usual: number): fc.Parameters<unknown> {
  const runs = numberOf(process.env.SW_RUNS)
  const seed = numberOf(process.env.SW_SEED)
  return { numRuns: runs ?? usual, ...(seed === undefined ? {} : { seed }) }
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

function numberOf(text: string | undefined): number | undefined {
  return text === undefined || text === '' ? undefined : Number(text)
}

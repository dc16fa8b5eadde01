/**
 * Tests that could go on for ever do a sample of their work in `npm test`, which takes seconds, and
 * all of it in `npm run test:long`: the same code with a larger count and a seed of its own.
 */
const isLong = process.env.STATEWRIGHT_TEST_LONG === '1'

export function lengthOf<Length>({
  sample,
  long,
}: {
  readonly sample: Length
  readonly long: Length
}) {
  return isLong ? long : sample
}

/** What failed once is found again by `STATEWRIGHT_SEED`; every failure names its seed. */
export function seedOf(usual: number): number {
  const { STATEWRIGHT_SEED: given } = process.env
  if (given) return Number(given)
  return isLong ? Date.now() % 1_000_000_000 : usual
}

/** Vitest ends what hangs; a long run may take hours. */
export const longestMs = isLong ? 4 * 3_600_000 : 240_000

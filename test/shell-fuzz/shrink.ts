import type { Pool } from './campaign.ts'
import { checkOutcome, type Failure } from './check.ts'

/** Cuts pieces out of a failing line for as long as it keeps failing in the same way. */
export async function shrink(pool: Pool, failure: Failure): Promise<Failure> {
  let best = failure
  let size = Math.ceil(best.line.length / 2)
  for (let rounds = 0; rounds < 60; rounds++) {
    const smaller = await firstFailure(pool, best.kind, cuts(best.line, size))
    if (smaller !== undefined) best = smaller
    else if (size === 1) return best
    else size = Math.ceil(size / 2)
    size = Math.max(1, Math.min(size, Math.ceil(best.line.length / 2)))
  }
  return best
}

function cuts(line: string, size: number): string[] {
  const step = Math.max(1, Math.floor(size / 2))
  const found = new Set<string>()
  for (let at = 0; at < line.length; at += step) {
    found.add(line.slice(0, at) + line.slice(at + size))
  }
  found.delete(line)
  return [...found]
}

async function firstFailure(
  pool: Pool,
  kind: Failure['kind'],
  lines: readonly string[],
): Promise<Failure | undefined> {
  let found: Failure | undefined
  await pool.run(lines.values(), (outcome) => {
    if (outcome.isLost) return
    const { failure } = checkOutcome(outcome)
    if (failure?.kind !== kind) return
    if (found === undefined || failure.line.length < found.line.length) found = failure
  })
  return found
}

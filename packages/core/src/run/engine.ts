import type { RunSnapshot } from './snapshot.ts'

/**
 * The number of this engine. It is raised whenever an event of before would now give another
 * answer, other entries or another snapshot: what an engine wrote is replayed by that engine alone
 * (WF-36). Rewording a text changes none of these.
 *
 * 1: entries held sentences. 2: they hold phrases, and a verdict has one spelling.
 */
export const engine = 2

/** Which engine a run is on; the first one did not say so. */
export function engineOf({ engine: made }: Pick<RunSnapshot, 'engine'>): number {
  return made ?? 1
}

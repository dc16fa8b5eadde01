import type { Program } from '../machine/machine.ts'
import type { Entry } from '../run/entries.ts'
import type { RunSnapshot } from '../run/snapshot.ts'
import { playStep } from './play-step.ts'
import { stepsOf } from './steps.ts'

export interface TakenUp {
  readonly run: RunSnapshot
  /** Indexes of entries whose event this engine would have answered otherwise. */
  readonly differs: readonly number[]
}

/**
 * Where a run stands after entries that are newer than its stored snapshot; null when one of them
 * cannot be read. An older engine may have written them: its answers stand, and where this engine
 * would have given another one, that is told (WF-36).
 */
export function takeUp(
  program: Program,
  snapshot: RunSnapshot | null,
  entries: readonly Entry[],
): TakenUp | null {
  const differs: number[] = []
  let run = snapshot
  let index = 0
  for (const step of stepsOf(entries)) {
    const played = playStep(program, run, step)
    if (played === null) return null
    if (played.differs) differs.push(index)
    run = played.run
    index += step.length
  }
  return run === null ? null : { run, differs }
}

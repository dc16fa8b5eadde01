import type { Activity, RunLine } from '@statewright/core/wire'
import type { RunMarks } from './run-marks.ts'

type DeniedAt = Activity['denials']['places'][number]

/** The states that a run stands in: of a forked one, those of all its branches. */
export function statesOf(run: Pick<RunLine, 'state'>): readonly string[] {
  return run.state.split(' | ')
}

/** The picture of a definition at work: how many runs stand in each state, and what was denied. */
export function marksOfMany(
  name: string,
  runs: readonly Pick<RunLine, 'state'>[],
  denied: readonly Pick<DeniedAt, 'workflow' | 'state' | 'count'>[],
): RunMarks {
  const standing = new Map<string, number>()
  for (const run of runs) {
    // Two branches in one state are still one run there.
    for (const state of new Set(statesOf(run))) {
      standing.set(state, (standing.get(state) ?? 0) + 1)
    }
  }
  const refusals = new Map<string, number>()
  for (const { workflow, state, count } of denied) {
    if (workflow === name) refusals.set(state, count)
  }
  return {
    ...{ current: new Map(), visits: new Map(), walked: new Set<string>(), detour: null },
    passed: new Map(),
    ...{ newest: [], moves: 0 },
    refusals,
    standing,
  }
}

import type { ReplayReport } from '@statewright/core/wire'
import type { StateChange } from '../../model/diagram/run-marks.ts'

/**
 * How many calls would be decided otherwise in each state, by the rule that speaks. What a rule of
 * no state would change, such as one of a policy, is counted where its first call was made.
 */
export function stateChanges(report: ReplayReport): ReadonlyMap<string, StateChange> {
  const changes = new Map<string, StateChange>()
  for (const { name, kind, count, samples } of report.rules) {
    const [, own] = /^states\.([^.]+)\./.exec(name ?? '') ?? []
    const state = own ?? samples[0]?.state
    if (state === undefined || kind === undefined) continue
    const before = changes.get(state) ?? { stricter: 0, looser: 0 }
    const isStricter = kind === 'newly_denied' || kind === 'newly_asked'
    changes.set(state, {
      stricter: before.stricter + (isStricter ? count : 0),
      looser: before.looser + (isStricter ? 0 : count),
    })
  }
  return changes
}

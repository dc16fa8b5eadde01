import { branchOf, isUnfinished, type LaneName } from '../run/lanes.ts'
import type { CallRecord, RunSnapshot } from '../run/snapshot.ts'

/** The lane a call belongs to now: when its branch is over, the run itself. */
export function laneOfCall(run: RunSnapshot, call: CallRecord): LaneName {
  if (call.branch === null) return null
  const branch = branchOf(run.fork, call.branch)
  return branch !== undefined && isUnfinished(branch) ? call.branch : null
}

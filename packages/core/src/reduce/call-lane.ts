import { chooseLane } from '../run/choose-lane.ts'
import { branchOf, isUnfinished, type LaneName } from '../run/lanes.ts'
import type { CallRecord, RunSnapshot } from '../run/snapshot.ts'

/**
 * The lane a call belongs to now: its own while that is live, else the one its caller works in.
 * While a fork is open the run itself stands still, so that what happens there would be lost at the
 * join. Undefined when its caller has nothing left to work in.
 */
export function laneOfCall(run: RunSnapshot, call: CallRecord): LaneName | undefined {
  if (run.fork === null) return null
  const branch = call.branch === null ? undefined : branchOf(run.fork, call.branch)
  if (branch !== undefined && isUnfinished(branch)) return branch.name
  const choice = chooseLane(run, { kind: 'agent', id: call.caller }, undefined)
  return choice.kind === 'lane' ? choice.name : undefined
}

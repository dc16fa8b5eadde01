import type { JsonObject } from '../base/json.ts'
import { branchOf, type LaneName, laneOf, stateOf, topFrame } from '../run/lanes.ts'
import type { Draft } from './draft.ts'
import { endRun } from './end-run.ts'
import { collapseFork, joinResult, markBranch } from './join.ts'
import { popChild } from './pop-child.ts'
import { putLane } from './put-lane.ts'

/** The live frame of a lane has come to its end. */
interface Ending {
  readonly lane: LaneName
  readonly succeeded: boolean
}

/** Moves a lane into a state and follows what that sets off, until something waits for an event. */
export function enter(draft: Draft, lane: LaneName, target: string, context: JsonObject): void {
  putLane(draft, lane, target, context)
  settle(draft, lane)
}

/** Ends children, branches, forks and the run itself, where a lane stands in a final state. */
export function settle(draft: Draft, lane: LaneName): void {
  resolveEndings(draft, endingAt(draft, lane))
}

/** Ends the live frame of a lane as failed, whatever state it is in. */
export function failLane(draft: Draft, lane: LaneName): void {
  resolveEndings(draft, { lane, succeeded: false })
}

/** Ends the live frame of a lane as told: for processes, whose answers end them. */
export function endLane(draft: Draft, lane: LaneName, succeeded: boolean): void {
  resolveEndings(draft, { lane, succeeded })
}

function resolveEndings(draft: Draft, first: Ending | null): void {
  for (let ending = first; ending !== null; ) ending = resolveEnding(draft, ending)
}

function endingAt(draft: Draft, lane: LaneName): Ending | null {
  const { frames } = laneOf(draft.run, lane)
  const frame = topFrame(laneOf(draft.run, lane))
  const state = stateOf(draft.program, frame)
  if (!state.isFinal) return null
  if (lane === null || frames.length > 1) return { lane, succeeded: state.succeeds }
  // A branch is completed by its terminal and failed by any other final state (WF-24).
  return { lane, succeeded: branchOf(draft.run.fork, lane)?.terminal === frame.state }
}

function resolveEnding(draft: Draft, { lane, succeeded }: Ending): Ending | null {
  if (laneOf(draft.run, lane).frames.length > 1) {
    const back = popChild(draft, lane, succeeded)
    // Nobody provided for the failure, so the parent fails with its child (WF-23).
    if (back.target === null) return { lane, succeeded: false }
    putLane(draft, lane, back.target, back.context)
    return endingAt(draft, lane)
  }
  if (lane === null) {
    endRun(draft, succeeded ? 'completed' : 'failed')
    return null
  }
  markBranch(draft, lane, succeeded ? 'completed' : 'failed')
  const result = joinResult(draft.run.fork)
  if (result === null) return null
  const joined = collapseFork(draft, result === 'succeeded')
  if (joined.target === null) return { lane: null, succeeded: false }
  putLane(draft, null, joined.target, joined.context)
  return endingAt(draft, null)
}

import { invariant } from '../base/invariant.ts'
import type { JsonObject } from '../base/json.ts'
import { type LaneName, laneOf, machineOf, topFrame, withLane, withTop } from '../run/lanes.ts'
import type { Frame } from '../run/snapshot.ts'
import type { Draft } from './draft.ts'

/** Puts the live frame of a lane into a state: counters start again, self-transitions included. */
export function putLane(draft: Draft, lane: LaneName, target: string, context: JsonObject): void {
  const current = laneOf(draft.run, lane)
  const frame = topFrame(current)
  const state = machineOf(draft.program, frame).states.get(target)
  invariant(state !== undefined, `target ${target} is a state`)
  const visit = draft.run.visits + 1
  const placed: Frame = {
    machine: frame.machine,
    state: target,
    context,
    counters: { visit, iterations: 0, bytes: 0, files: [] },
    // Leaving the handler for a state without a way back ends the detour: otherwise one FAIL
    // would switch interrupts off for good (WF-29).
    interrupt: frame.interrupt !== null && state.offersReturn ? frame.interrupt : null,
    evidence: frame.evidence,
    baseline: frame.baseline,
    rejected: null,
    invoked: frame.invoked,
  }
  const moved = withTop(current, placed)
  draft.run =
    lane === null
      ? { ...draft.run, main: moved, visits: visit }
      : { ...withLane(draft.run, lane, moved), visits: visit }
}

/** Replaces the live frame of a lane, without entering anything. */
export function replaceTop(draft: Draft, lane: LaneName, frame: Frame): void {
  draft.run = withLane(draft.run, lane, withTop(laneOf(draft.run, lane), frame))
}

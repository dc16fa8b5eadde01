import { type LaneName, laneOf, topFrame } from '../run/lanes.ts'
import type { Draft } from './draft.ts'
import { endRun } from './end-run.ts'
import { endLane, enter } from './settle.ts'

/** Goes to the next checkpoint; without one the process is completed (PR-3). */
export function goOn(draft: Draft, lane: LaneName, next: string | null): void {
  if (next === null) endLane(draft, lane, true)
  else enter(draft, lane, next, topFrame(laneOf(draft.run, lane)).context)
}

/** A process of its own ends blocked; one that was invoked fails its caller (PR-4). */
export function blockLane(draft: Draft, lane: LaneName): void {
  const isRun = lane === null && draft.run.main.frames.length === 1
  if (isRun) endRun(draft, 'blocked')
  else endLane(draft, lane, false)
}

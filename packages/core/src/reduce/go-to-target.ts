import { invariant } from '../base/invariant.ts'
import type { JsonObject } from '../base/json.ts'
import { returnTarget } from '../machine/machine.ts'
import { type LaneName, laneOf, topFrame } from '../run/lanes.ts'
import { type Draft, record } from './draft.ts'
import { replaceTop } from './put-lane.ts'
import { enter } from './settle.ts'

/** Enters a state, or goes back to the interrupted one, whose counters go on (WF-29). */
export function goToTarget(
  draft: Draft,
  lane: LaneName,
  target: string,
  context: JsonObject,
): void {
  if (target !== returnTarget) {
    enter(draft, lane, target, context)
    return
  }
  const { word: _, ...frame } = topFrame(laneOf(draft.run, lane))
  const { interrupt } = frame
  invariant(interrupt !== null, '$return is taken only while an interrupt is active')
  replaceTop(draft, lane, {
    ...frame,
    state: interrupt.returnTo,
    counters: interrupt.counters,
    interrupt: null,
    rejected: null,
    context,
  })
  const event = draft.event.type === 'transition_requested' ? draft.event.event : interrupt.name
  record(draft, { type: 'returned', from: frame.state, to: interrupt.returnTo, event }, lane)
}

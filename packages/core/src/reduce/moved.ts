import { type LaneName, laneOf, topFrame } from '../run/lanes.ts'
import type { Step } from '../run/step.ts'
import { type Draft, finish } from './draft.ts'

/** Ends a step that moved a lane: tells where it stands now and what that set off. */
export function moved(
  draft: Draft,
  lane: LaneName,
  from: string,
  more: { event?: string; warning?: string } = {},
): Step {
  const stillThere = lane === null || draft.run.fork?.branches.some((one) => one.name === lane)
  const to = topFrame(laneOf(draft.run, stillThere ? lane : null)).state
  const event = more.event ?? (draft.event.type === 'transition_requested' ? draft.event.event : '')
  const effects = draft.entries.map((entry) => entry.type)
  return finish(draft, {
    type: 'moved',
    from,
    to,
    event,
    effects,
    ...(more.warning === undefined ? {} : { warning: more.warning }),
  })
}

import type { Entry } from '../run/entries.ts'
import { type LaneName, laneOf, topFrame } from '../run/lanes.ts'
import type { Effect, Step } from '../run/step.ts'
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
  return finish(draft, {
    type: 'moved',
    from,
    to,
    event,
    effects: effectsOf(draft.entries),
    ...(more.warning === undefined ? {} : { warning: more.warning }),
  })
}

/** Each effect once, in order. A plain loop: this stands in the commonest step. */
function effectsOf(entries: readonly Entry[]): readonly Effect[] {
  const effects: Effect[] = []
  for (const entry of entries) {
    const effect = effectOf(entry)
    if (effect !== null && !effects.includes(effect)) effects.push(effect)
  }
  return effects
}

function effectOf(entry: Entry): Effect | null {
  switch (entry.type) {
    case 'forked':
    case 'interrupted':
    case 'run_ended':
      return entry.type
    case 'branch_ended':
      if (entry.status === 'completed') return 'branch_completed'
      return entry.status === 'failed' ? 'branch_failed' : null
    case 'joined':
      return entry.succeeded ? 'joined' : 'fork_failed'
    case 'invoked':
      return 'subflow_started'
    case 'invoke_ended':
      return entry.succeeded ? 'subflow_completed' : 'subflow_failed'
    default:
      return null
  }
}

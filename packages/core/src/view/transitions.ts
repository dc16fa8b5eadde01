import { unreachable } from '../base/invariant.ts'
import type { Machine, MachineState, MachineTransition } from '../machine/machine.ts'
import { returnTarget } from '../machine/machine.ts'
import { type ShownReading, shownReading } from '../run/entries.ts'
import type { DigestFacts } from '../run/events.ts'
import { readGuard } from '../run/guards.ts'
import type { Frame } from '../run/snapshot.ts'

/** One way on, with what it still needs. */
export interface TransitionView {
  readonly event: string
  readonly target: string
  readonly guards: readonly ShownReading[]
  readonly requires_approval: boolean
}

/** The ways on from a state; a list of candidates gives one line each. */
export function transitionViews(
  machine: Machine,
  state: MachineState,
  frame: Frame,
  digests?: DigestFacts,
): TransitionView[] {
  const views: TransitionView[] = []
  for (const [event, transition] of state.transitions) {
    if (transition.kind !== 'move') {
      const target = targetText(transition)
      views.push({ event, target, guards: [], requires_approval: false })
      continue
    }
    for (const candidate of transition.candidates) {
      const isReturn = candidate.target === returnTarget
      views.push({
        event,
        target: isReturn ? (frame.interrupt?.returnTo ?? returnTarget) : candidate.target,
        guards: candidate.guards.map((guard) =>
          shownReading(readGuard(guard, machine, frame, digests).reading),
        ),
        requires_approval: candidate.approval !== null,
      })
    }
  }
  return views
}

function targetText(transition: Exclude<MachineTransition, { kind: 'move' }>): string {
  switch (transition.kind) {
    case 'invoke':
      return `${transition.machine}, then ${transition.onComplete}`
    case 'fork': {
      const names = transition.branches.map((branch) => branch.name).join(' + ')
      return `fork ${names}, then ${transition.onComplete}`
    }
    case 'answer':
      return transition.next ?? 'end'
    default:
      return unreachable(transition)
  }
}

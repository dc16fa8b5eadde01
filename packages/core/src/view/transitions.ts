import { unreachable } from '../base/invariant.ts'
import type { Machine, MachineState, MachineTransition } from '../machine/machine.ts'
import { returnTarget } from '../machine/machine.ts'
import type { GuardFacts } from '../run/condition-values.ts'
import { type ShownReading, shownReading } from '../run/entries.ts'
import type { Actor, DigestFacts } from '../run/events.ts'
import { readGuard } from '../run/guards.ts'
import type { Frame, RunSnapshot } from '../run/snapshot.ts'

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
  facts: GuardFacts,
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
          shownReading(readGuard(guard, machine, frame, facts).reading),
        ),
        requires_approval: candidate.approval !== null,
      })
    }
  }
  return views
}

/** What the guards of a run are read with. */
export function guardFacts(
  run: RunSnapshot,
  by: Actor,
  { digests, at = Number.POSITIVE_INFINITY }: { digests?: DigestFacts; at?: number },
): GuardFacts {
  return { run, by, at, digests }
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

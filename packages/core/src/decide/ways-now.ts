import { phrase, textOf } from '../base/text/phrase.ts'
import {
  type Machine,
  type MachineState,
  type MoveTransition,
  returnTarget,
} from '../machine/machine.ts'
import { targetsOf, type WayStep } from '../machine/way.ts'
import { chooseCandidate, readAll } from '../run/candidates.ts'
import type { GuardFacts } from '../run/condition-values.ts'
import type { Frame } from '../run/snapshot.ts'

/** The ways on from a state, with guards read as a transition would read them now (WF-14). */
export interface Ways {
  /** Where events lead now. */
  readonly open: (state: MachineState) => readonly WayStep[]
  /** Those, and behind them where events could lead, with what their guards still want. */
  readonly all: (state: MachineState) => readonly WayStep[]
}

export function waysNow(machine: Machine, frame: Frame, facts: GuardFacts): Ways {
  const returnTo = frame.interrupt?.returnTo ?? null
  const reached = (target: string) => (target === returnTarget ? returnTo : target)

  function openOf(event: string, transition: MoveTransition): WayStep[] {
    const choice = chooseCandidate(transition, machine, frame, facts)
    const target = choice.ok ? reached(choice.candidate.target) : null
    return target === null ? [] : [{ event, target }]
  }

  function closedOf(event: string, transition: MoveTransition): WayStep[] {
    return transition.candidates.flatMap((candidate) => {
      const target = reached(candidate.target)
      const read = readAll(candidate, machine, frame, facts)
      if (target === null || read.passed) return []
      const failed = read.guards.filter(({ passed }) => !passed)
      const needs = failed.map(({ guard, wants, saw }) =>
        textOf(phrase('guard_needs', { guard, wants, saw })),
      )
      return [{ event, target, needs: needs.join('; ') }]
    })
  }

  function open({ transitions }: MachineState): WayStep[] {
    return [...transitions].flatMap(([event, transition]) =>
      transition.kind === 'move'
        ? openOf(event, transition)
        : // Forks, invoked workflows and answers have no guards of their own.
          targetsOf(transition, returnTo).map((target) => ({ event, target })),
    )
  }

  function all(state: MachineState): WayStep[] {
    const closed = [...state.transitions].flatMap(([event, transition]) =>
      transition.kind === 'move' ? closedOf(event, transition) : [],
    )
    return [...open(state), ...closed]
  }

  return { open, all }
}

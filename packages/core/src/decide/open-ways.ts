import {
  type Machine,
  type MachineState,
  type MachineTransition,
  returnTarget,
} from '../machine/machine.ts'
import { targetsOf, type WayStep } from '../machine/way.ts'
import { chooseCandidate } from '../run/candidates.ts'
import type { DigestFacts } from '../run/events.ts'
import type { Frame } from '../run/snapshot.ts'

/**
 * Where the events of a state would lead now: guards are read as a transition would read them, so
 * that nobody is sent along a way that is closed, or that ends in another state (WF-14).
 */
export function openWays(
  machine: Machine,
  frame: Frame,
  digests: DigestFacts | undefined,
): (state: MachineState) => readonly WayStep[] {
  const returnTo = frame.interrupt?.returnTo ?? null
  const targetsNow = (transition: MachineTransition): readonly string[] => {
    // Forks, invoked workflows and answers have no guards of their own.
    if (transition.kind !== 'move') return targetsOf(transition, returnTo)
    const choice = chooseCandidate(transition, machine, frame, digests)
    if (!choice.ok) return []
    const { target } = choice.candidate
    if (target !== returnTarget) return [target]
    return returnTo === null ? [] : [returnTo]
  }
  return ({ transitions }) =>
    [...transitions].flatMap(([event, transition]) =>
      targetsNow(transition).map((target) => ({ event, target })),
    )
}

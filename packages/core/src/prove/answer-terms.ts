import type { Machine } from '../machine/machine.ts'
import { countersOf } from '../machine/room.ts'
import type { Study } from './study.ts'

/** What a search of this program cannot tell for certain; with any of these nothing is proved. */
export function gaps({ calls, data }: Study): string[] {
  return [
    ...(calls.complete ? [] : ['There are more kinds of files than are told apart.']),
    ...(data.complete ? [] : ['A guard compares in ways that are not told apart.']),
  ]
}

/** What "proved" takes for granted, printed with it (PV-7). */
export function assumptions(
  { program }: Study,
  kind: 'never' | 'reach',
  needsConditions = false,
): string[] {
  const machines = [...program.machines.values()]
  const hasApprovals = machines.some(asksPeople)
  return [
    'one agent, whose calls end before its next move',
    'nobody pauses, forces or stops the run',
    ...(kind === 'never'
      ? []
      : [
          'tools can succeed',
          ...(hasApprovals ? ['people can approve'] : []),
          ...(machines.some((machine) => countersOf(machine).length > 0)
            ? ['rates and budgets have room']
            : []),
          ...(needsConditions ? ['conditions can come out either way'] : []),
        ]),
  ]
}

function asksPeople({ states, policy }: Machine): boolean {
  if (policy !== null) return true
  return [...states.values()].some(({ transitions }) =>
    [...transitions.values()].some(
      (one) => one.kind === 'move' && one.candidates.some(({ approval }) => approval !== null),
    ),
  )
}

import type { Machine } from '../machine/machine.ts'
import { countersOf } from '../machine/room.ts'
import type { Study } from './study.ts'

/** What a search of this program cannot tell for certain; with any of these nothing is proved. */
export function gaps({ calls, data, program }: Study): string[] {
  const machines = [...program.machines.values()]
  return [
    ...(calls.complete ? [] : ['There are more kinds of files than are told apart.']),
    ...(data.complete ? [] : ['A guard compares in ways that are not told apart.']),
    ...(machines.some(hasConditions) ? ['Conditions are not searched yet.'] : []),
  ]
}

/** What "proved" takes for granted, printed with it (PV-7). */
export function assumptions({ program }: Study, kind: 'never' | 'reach'): string[] {
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

function hasConditions({ facts, marks, calls, policy, interrupts, states }: Machine): boolean {
  if (facts.length > 0 || marks.length > 0 || calls.length > 0) return true
  if (interrupts.some(({ when }) => when !== null)) return true
  const rules = [...(policy?.exact.values() ?? [])].flat().concat(policy?.prefixes ?? [])
  if ((policy?.marks.length ?? 0) > 0 || rules.some(({ when }) => when !== null)) return true
  return [...states.values()].some((state) => {
    if (state.calls.length > 0) return true
    return [...state.transitions.values()].some(
      (one) =>
        one.kind === 'move' &&
        one.candidates.some(({ guards }) => guards.some(({ kind }) => kind === 'condition')),
    )
  })
}

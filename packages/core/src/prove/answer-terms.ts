import type { Machine } from '../machine/machine.ts'
import { countersOf } from '../machine/room.ts'
import { tooManyFileClasses } from './bounds.ts'
import type { Study } from './study.ts'

/** What a search of this program cannot tell for certain; with any of these nothing is proved. */
export function gaps({ calls, data }: Study): string[] {
  return [
    ...(calls.complete ? [] : [tooManyFileClasses]),
    ...(data.complete ? [] : ['A guard compares in ways that the search cannot tell apart.']),
  ]
}

/** What "proved" takes for granted, printed with it (PV-7). */
export function assumptions(
  studied: Study,
  kind: 'never' | 'reach',
  needsConditions = false,
): string[] {
  const machines = [...studied.program.machines.values()]
  const hasApprovals = machines.some(asksPeople)
  return [
    'one agent, whose calls end before its next move',
    'nobody pauses, forces or stops the run',
    ...beginning(studied, kind),
    ...(kind === 'never'
      ? []
      : [
          'tools can succeed',
          // Policies of people and projects hold beside a definition, and can only deny.
          'no policy stands in the way',
          ...(hasApprovals ? ['people can approve'] : []),
          ...(machines.some(asksAboutCalls)
            ? ['a rejected call can be asked about again with other arguments']
            : []),
          ...(machines.some((machine) => countersOf(machine).length > 0)
            ? ['rates and budgets have room']
            : []),
          ...(needsConditions ? ['conditions can come out either way'] : []),
        ]),
  ]
}

/**
 * Whoever starts a run may hand it a context, marks of an earlier run of the client's session stay,
 * and strict mode is a setting: none of that stands in a definition. What is not strict allows
 * more, so that it matters where something has to be allowed.
 */
function beginning({ program, reads, strict }: Study, kind: 'never' | 'reach'): string[] {
  const machines = [...program.machines.values()]
  const hasMarks = machines.some(({ marks, policy }) => marks.length + (policy?.marks.length ?? 0))
  const isOpen = machines.some(({ states, policy }) => {
    return policy !== null || [...states.values()].some(({ isFinal, tools }) => !isFinal && !tools)
  })
  return [
    ...(reads.isEmpty ? [] : ['the run begins with the context of the definition']),
    ...(hasMarks ? ['no mark is left of an earlier run'] : []),
    ...(strict && isOpen ? ['runs are strict'] : []),
    ...(!strict && isOpen && kind === 'reach' ? ['runs are not strict'] : []),
  ]
}

function asksAboutCalls({ policy }: Machine): boolean {
  if (policy === null) return false
  const { exact, prefixes, unmatched } = policy
  const rules = [...exact.values(), prefixes].flat()
  return unmatched.kind === 'ask' || rules.some(({ answer }) => answer.kind === 'ask')
}

function asksPeople({ states, policy }: Machine): boolean {
  if (policy !== null) return true
  return [...states.values()].some(({ transitions }) =>
    [...transitions.values()].some(
      (one) => one.kind === 'move' && one.candidates.some(({ approval }) => approval !== null),
    ),
  )
}

import type { Machine, Program } from '../machine/machine.ts'

/** Whether anything hangs on a condition, whose answers no search can compute. */
export function hasConditions({ machines }: Program): boolean {
  return [...machines.values()].some(hasSome)
}

function hasSome({ facts, marks, calls, policy, interrupts, states }: Machine): boolean {
  if (calls.length > 0) return true
  if (facts.some((one) => [one.when, one.each, one.key, one.value].some((it) => it !== null))) {
    return true
  }
  if ([...marks, ...(policy?.marks ?? []), ...interrupts].some(({ when }) => when !== null)) {
    return true
  }
  const rules = [...(policy?.exact.values() ?? [])].flat().concat(policy?.prefixes ?? [])
  if (rules.some(({ when }) => when !== null)) return true
  return [...states.values()].some((state) => {
    if (state.calls.length > 0) return true
    return [...state.transitions.values()].some(
      (one) =>
        one.kind === 'move' &&
        one.candidates.some(({ guards }) => guards.some(({ kind }) => kind === 'condition')),
    )
  })
}

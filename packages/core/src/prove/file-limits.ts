import type { Machine, Program } from '../machine/machine.ts'

/** Whether a state counts the files that are changed in it. */
export function limitsFiles({ machines }: Program): boolean {
  return [...machines.values()].some(({ states }) =>
    [...states.values()].some(({ maxFiles }) => Number.isFinite(maxFiles)),
  )
}

/** The same rules without that: whatever can happen under them can happen here. */
export function withoutFileLimits(program: Program): Program {
  const machines = new Map([...program.machines].map(([id, one]) => [id, unlimited(one)]))
  return { ...program, machines, root: machines.get(program.root.id) ?? program.root }
}

function unlimited(machine: Machine): Machine {
  const states = [...machine.states].map(([name, state]) => {
    return [name, { ...state, maxFiles: Number.POSITIVE_INFINITY }] as const
  })
  return { ...machine, states: new Map(states) }
}

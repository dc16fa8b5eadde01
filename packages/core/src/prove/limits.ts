import type { Machine, MachineState, Program } from '../machine/machine.ts'

/** Whether a state counts the files that are changed in it. */
export function limitsFiles(program: Program): boolean {
  return someState(program, ({ maxFiles }) => Number.isFinite(maxFiles))
}

/** Whether a state counts its calls, or the bytes that they answer with. */
export function limitsCalls(program: Program): boolean {
  return someState(program, countsCalls)
}

export function countsCalls({ maxIterations, contextBudgetBytes }: MachineState): boolean {
  return Number.isFinite(maxIterations) || Number.isFinite(contextBudgetBytes)
}

/** The same rules without counting files: whatever can happen under them can happen here. */
export function withoutFileLimits(program: Program): Program {
  return withStates(program, (state) => ({ ...state, maxFiles: Number.POSITIVE_INFINITY }))
}

/** The same rules with nothing counted. */
export function withoutLimits(program: Program): Program {
  const none = Number.POSITIVE_INFINITY
  const free = { maxFiles: none, maxIterations: none, contextBudgetBytes: none }
  return withStates(program, (state) => ({ ...state, ...free }))
}

function someState({ machines }: Program, holds: (state: MachineState) => boolean): boolean {
  return [...machines.values()].some(({ states }) => [...states.values()].some(holds))
}

function withStates(program: Program, change: (state: MachineState) => MachineState): Program {
  const machines = new Map([...program.machines].map(([id, one]) => [id, changed(one, change)]))
  return { ...program, machines, root: machines.get(program.root.id) ?? program.root }
}

function changed(machine: Machine, change: (state: MachineState) => MachineState): Machine {
  const states = [...machine.states].map(([name, state]) => [name, change(state)] as const)
  return { ...machine, states: new Map(states) }
}

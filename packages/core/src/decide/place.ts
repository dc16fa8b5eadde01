import type { Reason } from '../base/problem.ts'
import type { Machine, MachineState } from '../machine/machine.ts'
import type { Counters } from '../run/snapshot.ts'

/** The state a call is judged in, and what was used there. */
export interface StatePlace {
  readonly machine: Machine
  readonly state: MachineState
  readonly counters: Counters
  readonly strict: boolean
}

export function toolNotAllowed(place: StatePlace, needs: readonly string[]): Reason {
  const { state } = place
  const allowed = state.toolNames === null ? 'none, in strict mode' : state.toolNames.join(', ')
  const wanted = needs.join(' and ')
  const message = `${wanted} may not be used in ${state.name}. Allowed: ${allowed || 'none'}.`
  return { code: 'tool_not_allowed', message, path: `states.${state.name}.allowed_tools` }
}

import type { ReasonFacts } from '../base/problem.ts'
import { phrase } from '../base/text/phrase.ts'
import type { Machine, MachineState } from '../machine/machine.ts'
import type { Counters } from '../run/snapshot.ts'

/** The state a call is judged in, and what was used there. */
export interface CurrentState {
  readonly machine: Machine
  readonly state: MachineState
  readonly counters: Counters
  readonly strict: boolean
  /** Anyone who runs the call cannot take blocked variables away (SH-12). */
  readonly keepsEnvironment?: boolean
}

export function toolNotAllowed(current: CurrentState, tools: readonly string[]): ReasonFacts {
  const { name: state, toolNames: allowed } = current.state
  const message =
    allowed === null
      ? phrase('tool_not_allowed_strict', { tools, state })
      : phrase('tool_not_allowed', { tools, state, allowed })
  return { code: 'tool_not_allowed', message, path: `states.${state}.allowed_tools` }
}

import type { AgentEvent } from '../../packages/core/src/agent/events.ts'
import type { AgentState } from '../../packages/core/src/agent/state.ts'

/** A row of the table: a session and what happens to it. */
export interface MatrixCase {
  readonly state: AgentState
  readonly event: AgentEvent
}

export function matrixCase(
  state: AgentState,
  event: (state: AgentState) => AgentEvent,
): MatrixCase {
  return { state, event: event(state) }
}

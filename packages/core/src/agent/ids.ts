import type { FreshIds } from './events.ts'
import type { AgentState } from './state.ts'

/** How many ids of each kind the next step may use at most. */
function idsNeeded(state: AgentState): { toolRuns: number; hookRuns: number } {
  return {
    toolRuns: Math.max(1, state.pendingToolCalls.length),
    hookRuns: Math.max(1, state.settings?.hooks.length ?? 0),
  }
}

/** One of the ids that came with an event; anyone who made it knows how many a step needs. */
export function idAt(ids: readonly string[], at: number): string {
  const id = ids[at]
  if (id === undefined) throw new Error('bug: an event came with too few ids')
  return id
}

/** Ids for the next step, spelled as the wire spells them; `newUuid` is the caller's chance. */
export function freshIds(state: AgentState, newUuid: () => string): FreshIds {
  const { toolRuns, hookRuns } = idsNeeded(state)
  return {
    streamId: `turn_${newUuid()}`,
    requestId: `req_${newUuid()}`,
    toolRunIds: Array.from({ length: toolRuns }, () => `toolrun_${newUuid()}`),
    hookRunIds: Array.from({ length: hookRuns }, () => `hookrun_${newUuid()}`),
  }
}

import { limits } from '../base/limits.ts'
import type { AgentUpdate, AgentView } from './view.ts'
import { foldStateEvent } from './view-state.ts'
import { foldStreamEvent } from './view-stream.ts'

/** Folds one update into the view; the same for the dashboard and the command line (SE-17). */
export function foldAgentUpdate(view: AgentView, update: AgentUpdate): AgentView {
  if (update.event.sessionId !== view.sessionId) return view
  const next =
    update.channel === 'agent:state_event'
      ? foldStateEvent(view, update.event)
      : foldStreamEvent(view, update.event)
  if (next.items.length <= limits.agentViewItems) return next
  return { ...next, items: next.items.slice(-limits.agentViewItems) }
}

import { unreachable } from '../base/invariant.ts'
import { limits } from '../base/limits.ts'
import type { AgentUpdate, AgentView } from './view.ts'
import { foldOutput } from './view-output.ts'
import { foldStateEvent } from './view-state.ts'
import { foldStreamEvent } from './view-stream.ts'

/** Folds one update into the view; the same for the dashboard and the command line (SE-17). */
export function foldAgentUpdate(view: AgentView, update: AgentUpdate): AgentView {
  if (update.event.sessionId !== view.sessionId) return view
  const next = folded(view, update)
  if (next.items.length <= limits.agentViewItems) return next
  return { ...next, items: next.items.slice(-limits.agentViewItems) }
}

function folded(view: AgentView, update: AgentUpdate): AgentView {
  switch (update.channel) {
    case 'agent:state_event':
      return foldStateEvent(view, update.event)
    case 'agent:stream_event':
      return foldStreamEvent(view, update.event)
    case 'agent:output_event':
      return foldOutput(view, update.event)
    default:
      return unreachable(update)
  }
}

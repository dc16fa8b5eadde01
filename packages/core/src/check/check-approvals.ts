import { type Finding, finding } from '../definition/finding.ts'
import { quote } from '../definition/parse/wording.ts'
import type { CheckContext } from './check-context.ts'
import type { Edge } from './transition-graph.ts'

/** Approvals that nobody waits for, and ways around them (WF-3). */
export function checkApprovals(check: CheckContext): Finding[] {
  return [...advisoryApprovals(check), ...approvalNeverRequested(check), ...bypasses(check)]
}

function advisoryApprovals({ definition, graph }: CheckContext): Finding[] {
  if (definition.meta?.approval_mode === 'ui') return []
  const message =
    'Nobody is asked: "approval_mode" is "none" unless meta sets it to "ui", so the transition ' +
    'fires and the message is only recorded.'
  return graph.moves
    .filter(({ written }) => written.requires_approval === true)
    .map(({ path }) => finding('approval_mode_none', [...path, 'requires_approval'], message))
}

function approvalNeverRequested({ definition, graph }: CheckContext): Finding[] {
  if (definition.meta?.requires_human_approval !== true) return []
  const requestsApproval = graph.moves.some(({ written }) => written.requires_approval === true)
  if (requestsApproval || (definition.policy?.ask ?? []).length > 0) return []
  const message = 'No transition requires an approval and no policy asks for one.'
  return [finding('approval_never_asked', ['meta', 'requires_human_approval'], message)]
}

/** An event nobody defined would lead where a guard or a person should have been asked. */
function bypasses({ graph }: CheckContext): Finding[] {
  const incoming = new Map<string, { fallbacks: Edge[]; isOpen: boolean; isEarned: boolean }>()
  for (const edges of graph.edges.values()) {
    for (const edge of edges) {
      const into = incoming.get(edge.to) ?? { fallbacks: [], isOpen: false, isEarned: false }
      if (edge.kind === 'safe_next') into.fallbacks.push(edge)
      else if (edge.isEarned) into.isEarned = true
      else into.isOpen = true
      incoming.set(edge.to, into)
    }
  }
  return [...incoming].flatMap(([name, { fallbacks, isOpen, isEarned }]) => {
    if (isOpen || !isEarned) return []
    const message =
      `Any unknown event leads to ${quote(name)}, which is otherwise only reached through a ` +
      'guard or an approval.'
    return fallbacks.map(({ path }) => finding('safe_next_bypass', path, message))
  })
}

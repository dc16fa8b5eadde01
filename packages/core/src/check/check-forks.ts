import { type Finding, finding } from '../definition/finding.ts'
import { quote } from '../definition/parse/wording.ts'
import type { CheckContext } from './check-context.ts'
import { type Edge, type ForkSite, reachable, type TransitionGraph } from './transition-graph.ts'

/** Forks that could not join, or whose branches get in each other's way (WF-3, WF-24). */
export function checkForks({ graph }: CheckContext): Finding[] {
  const budget = { edges: 2_000_000 }
  return [
    ...graph.forks.flatMap((site) => checkBranches(site, graph)),
    ...graph.forks.flatMap((site) => sharedStates(site, graph, budget)),
    ...forksInBranches(graph),
  ]
}

function checkBranches({ fork, path }: ForkSite, graph: TransitionGraph): Finding[] {
  const branches = Object.entries(fork.branches)
  if (branches.length === 0) {
    const message = 'A fork needs at least one branch.'
    return [finding('fork_without_branches', [...path, 'branches'], message)]
  }
  return branches.flatMap(([name, { terminal }]) => {
    const state = graph.states.get(terminal)
    if (state === undefined || state.type === 'final') return []
    const message = `${quote(terminal)} ends the branch ${quote(name)} and so must be final.`
    const where = [...path, 'branches', name, 'terminal']
    return [finding('fork_terminal_not_final', where, message)]
  })
}

/**
 * States that two branches of one fork can both be in. Ends that only mean failure may be shared.
 * The budget keeps thousands of forks over thousands of states from taking minutes; past it, this
 * warning is no longer looked for.
 */
function sharedStates(
  { fork, path }: ForkSite,
  graph: TransitionGraph,
  budget: { edges: number },
): Finding[] {
  const findings: Finding[] = []
  const takenBy = new Map<string, string>()
  for (const [name, { initial, terminal }] of Object.entries(fork.branches)) {
    const reached = reachable(graph, [initial, terminal], staysInBranch, budget)
    if (budget.edges < 0) return findings
    const shared: string[] = []
    for (const state of reached) {
      const isFailure = graph.states.get(state)?.type === 'final' && state !== terminal
      if (isFailure) continue
      if (takenBy.has(state)) shared.push(state)
      else takenBy.set(state, name)
    }
    const [first] = shared
    if (first === undefined) continue
    const both = `Branches ${quote(takenBy.get(first))} and ${quote(name)}`
    const more = shared.length > 1 ? ` and ${shared.length - 1} more` : ''
    const message = `${both} share the state ${quote(first)}${more}.`
    findings.push(finding('shared_branch_state', [...path, 'branches', name], message))
  }
  return findings
}

function staysInBranch(edge: Edge): boolean {
  return edge.kind !== 'branch'
}

function forksInBranches(graph: TransitionGraph): Finding[] {
  const initials = graph.forks.flatMap(({ fork }) =>
    Object.values(fork.branches).map(({ initial }) => initial),
  )
  const inBranches = reachable(graph, initials)
  return graph.forks
    .filter(({ state }) => inBranches.has(state))
    .map(({ state, path }) => {
      const message = `${quote(state)} can be reached inside a branch; a branch cannot fork again.`
      return finding('fork_in_branch', path, message)
    })
}

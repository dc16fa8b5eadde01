import { type Finding, finding } from '../definition/finding.ts'
import { quote } from '../definition/parse/wording.ts'
import type { CheckContext } from './check-context.ts'
import { reachable, type TransitionGraph } from './transition-graph.ts'

/** States that cannot be entered, and states that cannot be left for good (WF-3). */
export function checkReach(check: CheckContext): Finding[] {
  const { definition, graph } = check
  const finals = [...graph.states].filter(([, state]) => state.type === 'final')
  if (finals.length === 0) {
    const message = 'No state is final, so no run can end. Give one "type": "final".'
    return [finding('no_final_state', ['states'], message)]
  }
  if (!graph.states.has(definition.initial)) return []
  const handlers = Object.values(definition.interrupts ?? {}).map(({ target }) => target)
  const main = reachable(graph, [definition.initial, ...handlers], (edge) => edge.kind !== 'branch')
  const all = reachable(graph, main)
  const ending = statesWithWayOut(graph, new Set(finals.map(([name]) => name)))
  const findings: Finding[] = []
  for (const name of graph.states.keys()) {
    if (!all.has(name)) {
      const message = `Nothing leads to the state ${quote(name)}.`
      findings.push(finding('unreachable_state', ['states', name], message))
    } else if (main.has(name) && !ending.has(name)) {
      // A branch ends when its agent says so; only the main line needs a final state.
      const message = `No way leads from ${quote(name)} to a final state.`
      findings.push(finding('no_way_to_final', ['states', name], message))
    }
  }
  return findings
}

/** Follows the edges backwards from the ends. A return leads to a state that is judged itself. */
function statesWithWayOut(graph: TransitionGraph, finals: ReadonlySet<string>): Set<string> {
  const comingFrom = new Map<string, string[]>()
  for (const [from, edges] of graph.edges) {
    for (const { to, kind } of edges) {
      if (kind === 'branch') continue
      const sources = comingFrom.get(to)
      if (sources === undefined) comingFrom.set(to, [from])
      else sources.push(from)
    }
  }
  const ending = new Set<string>()
  const waiting = [...finals, ...graph.offersReturn]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (ending.has(name)) continue
    ending.add(name)
    for (const source of comingFrom.get(name) ?? []) waiting.push(source)
  }
  return ending
}

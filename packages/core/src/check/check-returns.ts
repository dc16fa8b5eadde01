import { type Finding, finding } from '../definition/finding.ts'
import type { CheckContext } from './check-context.ts'
import { returnTarget, type TransitionGraph } from './transition-graph.ts'

/** `$return` where no interrupt can be active would always be refused (WF-3, WF-29). */
export function checkReturns({ definition, graph }: CheckContext): Finding[] {
  const targets = Object.values(definition.interrupts ?? {}).map(({ target }) => target)
  const inHandler = handlerStates(graph, targets)
  return graph.moves
    .filter(({ written, state }) => written.target === returnTarget && !inHandler.has(state))
    .map(({ state, targetPath }) => {
      const message = `No interrupt leads to "${state}", so "$return" has nowhere to go.`
      return finding('return_outside_interrupt', targetPath, message)
    })
}

/** A handler stays active only while the agent moves among states that offer `$return`. */
export function handlerStates(graph: TransitionGraph, targets: readonly string[]): Set<string> {
  const inHandler = new Set<string>()
  const waiting = [...targets]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (inHandler.has(name)) continue
    inHandler.add(name)
    for (const { to } of graph.edges.get(name) ?? []) {
      if (graph.offersReturn.has(to)) waiting.push(to)
    }
  }
  return inHandler
}

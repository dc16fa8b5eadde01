import { type Finding, type FindingCode, finding, type Path } from '../definition/finding.ts'
import { quote } from '../definition/parse/wording.ts'
import type { CheckContext } from './check-context.ts'
import { returnTarget } from './transition-graph.ts'

/** Names of states that lead nowhere (WF-3). */
export function checkTargets({ definition, graph, hint }: CheckContext): Finding[] {
  const findings: Finding[] = []
  const expectState = (code: FindingCode, name: string | undefined, path: Path) => {
    if (name === undefined || graph.states.has(name)) return
    const message =
      name === returnTarget
        ? '"$return" can only be the target of a transition.'
        : `There is no state ${quote(name)}.${hint(name, graph.states.keys())}`
    findings.push(finding(code, path, message))
  }
  expectState('unknown_initial', definition.initial, ['initial'])
  for (const { written, targetPath } of graph.moves) {
    if (written.target !== returnTarget) expectState('unknown_target', written.target, targetPath)
  }
  for (const [name, state] of graph.states) {
    expectState('unknown_safe_next', state.safe_next, ['states', name, 'safe_next'])
  }
  for (const { fork, path } of graph.forks) {
    for (const [name, branch] of Object.entries(fork.branches)) {
      const where = [...path, 'branches', name]
      expectState('unknown_fork_state', branch.initial, [...where, 'initial'])
      expectState('unknown_fork_state', branch.terminal, [...where, 'terminal'])
    }
    expectState('unknown_fork_target', fork.on_complete, [...path, 'on_complete'])
    expectState('unknown_fork_target', fork.on_fail, [...path, 'on_fail'])
  }
  for (const { on_complete, on_fail, path } of graph.invokes) {
    expectState('unknown_invoke_target', on_complete, [...path, 'on_complete'])
    expectState('unknown_invoke_target', on_fail, [...path, 'on_fail'])
  }
  for (const [name, { target }] of Object.entries(definition.interrupts ?? {})) {
    expectState('unknown_interrupt_target', target, ['interrupts', name, 'target'])
  }
  return findings
}

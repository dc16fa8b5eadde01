import { type Finding, finding } from '../definition/finding.ts'
import type { Scene } from './scene.ts'

/** Fields that contradict the kind of state they stand in. */
export function checkStates({ graph }: Scene): Finding[] {
  const findings: Finding[] = []
  for (const [name, state] of graph.states) {
    const path = ['states', name]
    if (state.type !== 'final') {
      if (state.outcome === undefined) continue
      const message = 'Only a final state has an outcome. Add "type": "final", or take it out.'
      findings.push(finding('outcome_not_final', [...path, 'outcome'], message))
      continue
    }
    const message = 'A final state ends the run; nothing can lead on from it.'
    if (Object.keys(state.on ?? {}).length > 0) {
      findings.push(finding('final_with_transitions', [...path, 'on'], message))
    }
    if (state.safe_next !== undefined) {
      findings.push(finding('final_with_transitions', [...path, 'safe_next'], message))
    }
  }
  return findings
}

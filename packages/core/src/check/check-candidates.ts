import { type Finding, finding } from '../definition/finding.ts'
import type { Scene } from './scene.ts'
import { hasGuards } from './transition-graph.ts'

/** Candidates that can never be taken, because one before them always passes (WF-3, WF-19). */
export function checkCandidates({ graph }: Scene): Finding[] {
  const findings: Finding[] = []
  for (const [name, state] of graph.states) {
    for (const [event, transition] of Object.entries(state.on ?? {})) {
      if (!Array.isArray(transition)) continue
      const first = transition.findIndex((candidate) => !hasGuards(candidate))
      if (first < 0) continue
      for (let index = first + 1; index < transition.length; index++) {
        const message = `Candidate ${first + 1} has no guard, so that this one is never tried.`
        const path = ['states', name, 'on', event, index]
        findings.push(finding('candidate_after_default', path, message))
      }
    }
  }
  return findings
}

import type { Proof } from '@statewright/core/wire'
import type { ApiProblem } from './problem.ts'

/** Asks the person; null when they would rather not. */
type Prover = (problem: ApiProblem) => Promise<Proof | null>

/** In the memory of this page alone: a disk must not give away that somebody is there. */
let currentProof: Proof | null = null
let prover: Prover | null = null

/** What asks the person for a proof, while a page shows it. */
export function setProver(next: Prover | null): void {
  prover = next
}

export function proofHeaders(): Record<string, string> {
  return currentProof === null ? {} : { 'x-statewright-proof': currentProof.proof }
}

/** Gets the proof that a refusal wants; false where it wants none, or the person gave none. */
export async function proveFor(problem: ApiProblem): Promise<boolean> {
  if (problem.code !== 'step_up_required' || prover === null) return false
  currentProof = await prover(problem)
  return currentProof !== null
}

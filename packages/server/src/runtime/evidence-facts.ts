import {
  type Actor,
  type DigestFacts,
  machineOfCaller,
  type Program,
} from '@statewright/core/internal'
import { digestFacts } from '../evidence/file-digests.ts'
import type { LiveRun } from './live-runs.ts'

/**
 * Digests for every fact of the definition that the caller stands in, be it a branch or a child.
 * Nothing is read from disk when it asks for no evidence, which is the common case.
 */
export function evidenceDigests(
  live: LiveRun,
  by: Actor,
  branch?: string,
): DigestFacts | undefined {
  const { workspace } = live.row
  if (workspace === null) return undefined
  const machine = machineOfCaller(live.program, live.snapshot, by, branch)
  if (machine.evidence.size === 0) return undefined
  return digestFacts(machine, machine.evidence.keys(), workspace)
}

/** What says how evidence is made, as it was when the run began; invoked definitions included. */
export function startingDigests(program: Program, workspace: string): DigestFacts | undefined {
  const facts: Record<string, DigestFacts[string]> = {}
  for (const [id, machine] of program.machines) {
    if (machine.evidence.size === 0) continue
    const found = digestFacts(machine, machine.evidence.keys(), workspace)
    for (const [name, digests] of Object.entries(found)) {
      facts[id === program.root.id ? name : `${id}/${name}`] = digests
    }
  }
  return Object.keys(facts).length === 0 ? undefined : facts
}

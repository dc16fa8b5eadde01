import type { DigestFacts } from '@statewright/core'
import { digestFacts } from './file-digests.ts'
import type { LiveRun } from './live-runs.ts'

/**
 * Digests for every fact of the definition that the run stands in. Nothing is read from disk when
 * the definition asks for no evidence, which is the common case.
 */
export function evidenceDigests(live: LiveRun, root: string): DigestFacts | undefined {
  const frames = live.snapshot.main.frames
  const name = frames[frames.length - 1]?.machine ?? ''
  const machine = live.program.machines.get(name)
  if (machine === undefined || machine.evidence.size === 0) return undefined
  return digestFacts(machine, machine.evidence.keys(), root)
}

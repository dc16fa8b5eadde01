import type { CompiledGlob } from '../call/glob.ts'
import { definingGlobs } from '../history/imagined-files.ts'
import type { Machine, MachineEvidence, Program } from '../machine/machine.ts'
import type { DigestFacts } from '../run/events.ts'
import type { FileDigests } from '../run/snapshot.ts'

/**
 * Files of a workspace that is not there: a transcript tells which ones were changed and never what
 * they held. How often those of a piece of evidence were changed is as good as a digest of them.
 */
export interface FileChanges {
  change(files: readonly string[]): void
  now(machine: Machine): DigestFacts
  /** As a run begins, invoked definitions included. */
  atStart(): DigestFacts
}

interface EvidenceCount {
  readonly fact: MachineEvidence
  readonly defining: readonly CompiledGlob[]
  stale: number
  definedBy: number
}

export function openFileChanges(program: Program): FileChanges {
  const counted = new Map<Machine, EvidenceCount[]>()
  for (const machine of program.machines.values()) {
    const facts = [...machine.evidence.values()]
    counted.set(
      machine,
      facts.map((fact) => ({ fact, defining: definingGlobs(fact), stale: 0, definedBy: 0 })),
    )
  }
  const now = (machine: Machine) =>
    Object.fromEntries((counted.get(machine) ?? []).map((one) => [one.fact.name, digestsOf(one)]))
  return {
    change(files) {
      const isAmong = (globs: readonly CompiledGlob[]) =>
        globs.some((matches) => files.some((file) => matches(file)))
      for (const one of [...counted.values()].flat()) {
        if (isAmong(one.fact.staleAfter)) one.stale += 1
        if (isAmong(one.defining)) one.definedBy += 1
      }
    },
    now,
    atStart() {
      const facts: Record<string, FileDigests> = {}
      for (const [id, machine] of program.machines) {
        for (const [name, digests] of Object.entries(now(machine))) {
          facts[id === program.root.id ? name : `${id}/${name}`] = digests
        }
      }
      return facts
    },
  }
}

function digestsOf({ stale, definedBy }: EvidenceCount): FileDigests {
  return { stale: String(stale), definedBy: String(definedBy) }
}

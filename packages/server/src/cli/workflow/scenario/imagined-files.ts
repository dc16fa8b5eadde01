import {
  type Actor,
  type CompiledGlob,
  type DigestFacts,
  type FileDigests,
  type Machine,
  type MachineEvidence,
  machineOfCaller,
  type Program,
  type RunSnapshot,
  runnerFiles,
} from '@statewright/core/internal'

/**
 * Files of a workspace that does not exist. Evidence is held against the content of files, so a
 * scenario has to say which ones changed: those of edits that went through, and those that a step
 * names under `changes`.
 */
export class ImaginedFiles {
  readonly #changed: string[] = []

  change(files: readonly string[]): void {
    this.#changed.push(...files)
  }

  /** As the run begins, invoked definitions included. */
  atStart(program: Program): DigestFacts {
    const facts: Record<string, FileDigests> = {}
    for (const [id, machine] of program.machines) {
      for (const [name, digests] of Object.entries(this.#of(machine))) {
        facts[id === program.root.id ? name : `${id}/${name}`] = digests
      }
    }
    return facts
  }

  /** For the definition that the caller stands in. */
  now(program: Program, run: RunSnapshot, by: Actor, branch?: string): DigestFacts {
    return this.#of(machineOfCaller(program, run, by, branch))
  }

  #of(machine: Machine): DigestFacts {
    const facts = [...machine.evidence].map(([name, fact]) => {
      const defining = [...fact.definedBy, ...runnerGlobs(fact)]
      return [
        name,
        { stale: this.#digest(fact.staleAfter), definedBy: this.#digest(defining) },
      ] as const
    })
    return Object.fromEntries(facts)
  }

  /** What was changed so far, one after the other, is as good as a digest of it all. */
  #digest(globs: readonly CompiledGlob[]): string {
    return this.#changed.filter((file) => globs.some((matches) => matches(file))).join('\n')
  }
}

/** By the command alone: there is no project whose scripts could be read. */
function runnerGlobs({ command, takesRunnerFiles }: MachineEvidence): CompiledGlob[] {
  const runner = takesRunnerFiles ? runnerFiles(command ?? []) : null
  return runner === null ? [] : [runner.matches]
}

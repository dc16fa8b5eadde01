import type { CompiledGlob } from '../call/glob.ts'
import { runnerFiles } from '../call/test-runners.ts'
import type { Machine, MachineEvidence, Program } from '../machine/machine.ts'
import { machineOfCaller } from '../run/choose-lane.ts'
import type { Actor, DigestFacts } from '../run/events.ts'
import type { FileDigests, RunSnapshot } from '../run/snapshot.ts'

// Files of a workspace that does not exist. Evidence is held against the content of files, so that
// anyone who plays a run has to say which ones changed.

/** As the run begins, invoked definitions included. */
export function digestsAtStart(program: Program, changed: readonly string[]): DigestFacts {
  const facts: Record<string, FileDigests> = {}
  for (const [id, machine] of program.machines) {
    for (const [name, digests] of Object.entries(digestsOf(machine, changed))) {
      facts[id === program.root.id ? name : `${id}/${name}`] = digests
    }
  }
  return facts
}

/** For the definition that the caller stands in. */
export function digestsNow(
  play: {
    readonly program: Program
    readonly run: RunSnapshot
    readonly changedFiles: readonly string[]
  },
  by: Actor,
  branch: string | undefined,
): DigestFacts {
  return digestsOf(machineOfCaller(play.program, play.run, by, branch), play.changedFiles)
}

/** Digests by the files that changed so far: anyone who tries many moves asks again and again. */
const known = new WeakMap<readonly string[], Map<Machine, DigestFacts>>()

/** What the files of a definition's evidence are like after these changes. */
export function digestsOf(machine: Machine, changed: readonly string[]): DigestFacts {
  const found = known.get(changed)?.get(machine)
  if (found !== undefined) return found
  const made = readDigests(machine, changed)
  const all = known.get(changed) ?? new Map<Machine, DigestFacts>()
  known.set(changed, all.set(machine, made))
  return made
}

function readDigests(machine: Machine, changed: readonly string[]): DigestFacts {
  // What was changed so far, one after the other, is as good as a digest of it all.
  const digest = (matches: (file: string) => boolean) => changed.filter(matches).join('\n')
  return Object.fromEntries(
    [...machine.evidence].map(([name, fact]) => {
      const { stale, defining } = matchersOf(fact)
      return [name, { stale: digest(stale), definedBy: digest(defining) }]
    }),
  )
}

interface Matchers {
  readonly stale: CompiledGlob
  readonly defining: CompiledGlob
}

const matchers = new WeakMap<MachineEvidence, Matchers>()

function matchersOf(fact: MachineEvidence): Matchers {
  const found = matchers.get(fact)
  if (found !== undefined) return found
  const stale = remembering(fact.staleAfter)
  const made = { stale, defining: remembering(definingGlobs(fact)) }
  matchers.set(fact, made)
  return made
}

/** The files of a story are few, and asked about with every move. */
function remembering(globs: readonly CompiledGlob[]): CompiledGlob {
  const answers = new Map<string, boolean>()
  return (file) => {
    const known = answers.get(file)
    if (known !== undefined) return known
    const isMatch = globs.some((matches) => matches(file))
    answers.set(file, isMatch)
    return isMatch
  }
}

/** Files that say what the command of a piece of evidence does. */
export function definingGlobs(fact: MachineEvidence): readonly CompiledGlob[] {
  return [...fact.definedBy, ...runnerGlobs(fact)]
}

/** By the command alone: there is no project whose scripts could be read. */
function runnerGlobs({ command, takesRunnerFiles }: MachineEvidence): readonly CompiledGlob[] {
  const runner = takesRunnerFiles ? runnerFiles(command ?? []) : null
  return runner === null ? [] : [runner.matches]
}

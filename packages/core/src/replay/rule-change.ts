import { readsResult } from '../condition/condition.ts'
import type { MachineFact } from '../condition/rules.ts'
import type { Machine, MachineEvidence, MachineInterrupt, Program } from '../machine/machine.ts'
import { readsTask } from '../reduce/task.ts'

/**
 * What a change of rules reads that nobody recorded, since the rules of that time had no use for
 * it. Names stand with the definition that they belong to.
 */
export interface Unrecorded {
  /** Evidence whose files were not looked at, or other ones. */
  readonly evidence: ReadonlySet<string>
  /** Facts that nobody learnt, or learnt otherwise. */
  readonly facts: ReadonlySet<string>
  /** Interrupts whose conditions nobody read. */
  readonly interrupts: ReadonlySet<string>
  readonly task: boolean
}

export function unrecorded(own: Program, changed: Program): Unrecorded {
  const names = <One extends { readonly name: string }>(
    ones: (machine: Machine) => Iterable<One>,
    isSame: (one: One, known: One | undefined) => boolean,
  ) => {
    const found = new Set<string>()
    for (const [id, machine] of changed.machines) {
      const before = own.machines.get(id)
      const known = new Map(
        before === undefined ? [] : [...ones(before)].map((one) => [one.name, one] as const),
      )
      for (const one of ones(machine)) {
        if (!isSame(one, known.get(one.name))) found.add(ownedName(id, one.name))
      }
    }
    return found
  }
  return {
    evidence: names(({ evidence }) => evidence.values(), isSameEvidence),
    facts: names(({ facts }) => facts, isSameFact),
    interrupts: names(({ interrupts }) => interrupts, isSameInterrupt),
    task: !readsTask(own),
  }
}

export function ownedName(owner: string, name: string): string {
  return `${owner}/${name}`
}

/** Digests stand for the files that were looked at; without files the call's end tells all. */
function isSameEvidence(fact: MachineEvidence, known: MachineEvidence | undefined): boolean {
  const { staleAfter, definedBy, takesRunnerFiles, files } = fact
  if (known !== undefined && files === known.files) return true
  return staleAfter.length === 0 && definedBy.length === 0 && !takesRunnerFiles
}

function isSameFact(fact: MachineFact, known: MachineFact | undefined): boolean {
  return known !== undefined && factText(fact) === factText(known)
}

function factText({ teachers, when, each, key, value, isPrivate }: MachineFact): string {
  return JSON.stringify([teachers, when?.text, each?.text, key?.text, value?.text, isPrivate])
}

/** Only what reads a result has to be recorded: the rest follows from the call. */
function isSameInterrupt(one: MachineInterrupt, known: MachineInterrupt | undefined): boolean {
  const { when } = one
  if (when === null) return true
  return !readsResult(when) || known?.when?.text === when.text
}

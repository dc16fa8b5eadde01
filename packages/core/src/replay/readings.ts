import type { Condition, Values } from '../condition/condition.ts'
import { compileCondition } from '../condition/condition.ts'
import type { Machine, MachineGuard, Program } from '../machine/machine.ts'
import { policyWithOracle, withOracle } from '../machine/oracle.ts'
import type { CompiledPolicy } from '../policy/compile-policy.ts'
import { lanesOf } from '../run/lanes.ts'
import type { RunSnapshot } from '../run/snapshot.ts'
import { ownedName, type Unrecorded, unrecorded } from './rule-change.ts'

/** Rules as they would be, beside those that a run was recorded under. */
export interface ChangedRules {
  readonly program: Program
  /** A policy that stands on its own, in the place of the recorded one of its name. */
  readonly policy: CompiledPolicy | null
}

/** What of a call the changed rules would read and nobody recorded; `null` for all arguments. */
export interface MissingOfCall {
  readonly args: ReadonlySet<string> | null
  /** Arguments that were kept without the hashes that private facts are compared by. */
  readonly unsealed: boolean
  readonly files: boolean
  readonly caller: boolean
}

/** Marks and facts of a run that rest on something that was not recorded. */
export class Doubts {
  readonly marks = new Set<string>()
  readonly facts = new Set<string>()
}

/** What came of it under every way in which conditions that cannot be read may come out. */
export interface AllReadings<Made> {
  readonly readings: readonly Made[]
  /** What was asked for and is not known. */
  readonly missing: readonly string[]
  /** There were more of them than were tried. */
  readonly isCut: boolean
}

/** With five conditions that cannot be read, every way in which they may come out. */
const maxReadings = 32

type Kind =
  | { readonly kind: 'mark' | 'fact' | 'interrupt'; readonly name: string }
  | { readonly kind: 'free' }

const free: Kind = { kind: 'free' }

/**
 * Plays the changed rules on what was recorded. A condition whose inputs are known is read; one
 * that reads something else is neither yes nor no, so that both are tried (RP-4).
 */
export class Readings {
  readonly program: Program
  readonly policy: CompiledPolicy | null
  readonly unrecorded: Unrecorded
  readonly #kinds = new Map<Condition, Kind>()
  readonly #private: ReadonlySet<string>
  #run: RunSnapshot | null = null
  #doubts = new Doubts()
  #call: MissingOfCall | null = null
  #answers: ReadonlyMap<string, boolean> = new Map()
  #open: string[] = []
  #missing = new Set<string>()

  constructor(own: Program, { program, policy }: ChangedRules) {
    this.unrecorded = unrecorded(own, program)
    for (const machine of program.machines.values()) this.#note(machine)
    for (const { name, when } of policy?.marks ?? []) {
      if (when !== null) this.#kinds.set(when, { kind: 'mark', name })
    }
    const machines = [...program.machines.values()]
    const named = machines.flatMap(({ facts }) => facts.filter(({ isPrivate }) => isPrivate))
    this.#private = new Set(named.map(({ name }) => name))
    const oracle = (condition: Condition, values: Values, owner: string) =>
      this.#read(condition, values, owner)
    this.program = withOracle(program, oracle, (guard, owner) => this.#guard(guard, owner))
    this.policy = policy === null ? null : policyWithOracle(policy, oracle)
  }

  /** Makes something under every way in which what is not known may come out. */
  all<Made>(
    about: {
      readonly run: RunSnapshot | null
      readonly doubts: Doubts
      readonly call: MissingOfCall | null
    },
    make: () => Made,
  ): AllReadings<Made> {
    this.#run = about.run
    this.#doubts = about.doubts
    this.#call = about.call
    this.#missing = new Set()
    const readings: Made[] = []
    const open: ReadonlyMap<string, boolean>[] = [new Map()]
    for (;;) {
      const given = open.pop()
      if (given === undefined) return { readings, missing: [...this.#missing], isCut: false }
      if (readings.length >= maxReadings) break
      this.#answers = given
      this.#open = []
      readings.push(make())
      const before = new Map(given)
      for (const key of new Set(this.#open)) {
        open.push(new Map(before).set(key, true))
        before.set(key, false)
      }
    }
    return { readings, missing: [...this.#missing], isCut: true }
  }

  #note({ id, marks, facts, interrupts, policy }: Machine): void {
    for (const { name, when } of [...marks, ...(policy?.marks ?? [])]) {
      if (when !== null) this.#kinds.set(when, { kind: 'mark', name })
    }
    for (const { name, when, each, key, value } of facts) {
      for (const one of [when, each, key, value]) {
        if (one !== null) this.#kinds.set(one, { kind: 'fact', name: ownedName(id, name) })
      }
    }
    for (const { name, when } of interrupts) {
      if (when !== null) this.#kinds.set(when, { kind: 'interrupt', name })
    }
  }

  #read(condition: Condition, values: Values, owner: string): unknown {
    const missing = this.#missingOf(condition, owner)
    if (missing.length === 0) return condition.expression.evaluate(values)
    const known = this.#kinds.get(condition) ?? free
    // What rests on it is in doubt from now on; anyone who reads that has both answers to try.
    if (known.kind === 'mark') {
      this.#doubts.marks.add(known.name)
      return true
    }
    if (known.kind === 'fact') {
      this.#doubts.facts.add(known.name)
      return undefined
    }
    for (const what of missing) this.#missing.add(what)
    return known.kind === 'interrupt' ? false : this.#either(keyOf(condition, owner))
  }

  #either(key: string): boolean {
    const given = this.#answers.get(key)
    if (given === undefined) this.#open.push(key)
    return given ?? false
  }

  #missingOf({ reads }: Condition, owner: string): string[] {
    const call = this.#call
    const { task } = this.unrecorded
    const missing: string[] = []
    if (call !== null) {
      if (call.args === null && (reads.args === null || reads.args.length > 0)) missing.push('args')
      if (reads.args === null && (call.args?.size ?? 0) > 0) missing.push('args')
      for (const name of reads.args ?? []) {
        if (call.args?.has(name) === true) missing.push(`args.${name}`)
      }
      if (call.files && reads.variables.has('files')) missing.push('files')
      if (call.caller && reads.variables.has('caller')) missing.push('caller')
      const isPrivate = reads.facts.some((name) => this.#private.has(name))
      if (call.unsealed && isPrivate) missing.push('private facts')
    }
    for (const name of reads.facts) {
      if (this.#doubts.facts.has(ownedName(owner, name))) missing.push(`facts.${name}`)
    }
    for (const name of reads.marks) {
      if (this.#doubts.marks.has(name)) missing.push(`marks.${name}`)
    }
    if (task && reads.variables.has('task')) missing.push('task')
    return missing
  }

  /** Evidence whose files nobody looked at is asked for like a condition. */
  #guard(guard: MachineGuard, owner: string): MachineGuard {
    if (guard.kind !== 'evidence') return guard
    if (!this.unrecorded.evidence.has(ownedName(owner, guard.evidence))) return guard
    const { name, path, evidence } = guard
    const condition = compileCondition('false', path, 'guard')
    const evaluate = () => this.#isFresh(owner, evidence)
    const expression = { ...condition.expression, evaluate }
    const text = `evidence.${evidence}`
    return { kind: 'condition', name, path, condition: { ...condition, text, expression } }
  }

  /** A call that never proved it proves it without a look at any file: then the answer is no. */
  #isFresh(owner: string, evidence: string): boolean {
    const lanes = this.#run === null ? [] : lanesOf(this.#run)
    const frames = lanes.flatMap((lane) => lane.frames)
    const mayBeFresh = frames.some(
      ({ machine, evidence: known }) =>
        machine === owner &&
        Object.hasOwn(known, evidence) &&
        known[evidence]?.outcome === 'proved',
    )
    if (!mayBeFresh) return false
    this.#missing.add(`files of evidence.${evidence}`)
    return this.#either(`${owner} evidence ${evidence}`)
  }
}

/** The same words about the call alone come out the same, wherever they are written. */
function keyOf({ text, path, reads }: Condition, owner: string): string {
  const ofRun = ['facts', 'marks', 'context', 'state', 'run']
  const isOfCall = ofRun.every((name) => !reads.variables.has(name))
  return isOfCall ? text : `${owner} ${path}`
}

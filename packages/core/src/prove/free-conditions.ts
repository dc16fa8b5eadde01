import { sealedValues } from '../condition/bounds.ts'
import { type Condition, expressionValue, type Values } from '../condition/condition.ts'
import type { MachineFact } from '../condition/rules.ts'
import { quotedCondition } from '../condition/saw.ts'
import { pathsIn } from '../condition/walk.ts'
import type { Program } from '../machine/machine.ts'
import { withOracle } from '../machine/oracle.ts'
import { maxOutcomes } from './bounds.ts'

/** How a condition came out on a way, where it could have come out otherwise. */
export interface Assumed {
  readonly text: string
  readonly holds: boolean
}

/** What came of a move when conditions came out so. */
export interface Outcome<Made> {
  readonly made: Made
  readonly assumed: readonly Assumed[]
}

/** Makes a move under every way in which its conditions may come out; null: there are too many. */
export type Readings = <Made>(isConcrete: boolean, make: () => Made) => Outcome<Made>[] | null

/** Conditions as they are: each comes out in one way. */
export const plainReadings: Readings = (_, make) => [{ made: make(), assumed: [] }]

/**
 * A program whose conditions are free: a yes and a no at each reading (PV-11). One whose every
 * input is known in the situation is read as it is. What is not known counts as yes or as no
 * wherever a condition stands (FC-6), so that two answers are all there are.
 */
export class FreeConditions {
  readonly program: Program
  readonly #facts = new Map<Condition, FactPart>()
  #isConcrete = false
  #answers: ReadonlyMap<string, boolean> = new Map()
  #choices = new Map<string, Assumed>()
  /** Values that each condition was read with in this move. */
  #values = new Map<string, readonly Values[]>()
  readonly #texts = new Map<Condition, string>()

  constructor(program: Program) {
    for (const { facts } of program.machines.values()) {
      for (const fact of facts) {
        for (const part of ['when', 'each', 'key', 'value'] as const) {
          const condition = fact[part]
          if (condition !== null) this.#facts.set(condition, { fact, part })
        }
      }
    }
    this.program = withOracle(program, (condition, values, owner) =>
      this.#read(condition, values, owner),
    )
  }

  /** `isConcrete`: the call of the move stands for itself alone, not for all of its kind. */
  readonly readings: Readings = (isConcrete, make) => {
    this.#isConcrete = isConcrete
    const outcomes: Outcome<ReturnType<typeof make>>[] = []
    const open: ReadonlyMap<string, boolean>[] = [new Map()]
    for (let answers = open.pop(); answers !== undefined; answers = open.pop()) {
      if (outcomes.length >= maxOutcomes) return null
      this.#answers = answers
      this.#choices = new Map()
      this.#values = new Map()
      outcomes.push({ made: make(), assumed: [...this.#choices.values()] })
      const before = new Map(answers)
      for (const key of this.#choices.keys()) {
        if (answers.has(key)) continue
        open.push(new Map(before).set(key, true))
        before.set(key, false)
      }
    }
    return outcomes
  }

  #read(condition: Condition, values: Values, owner: string): unknown {
    const taught = this.#facts.get(condition)
    if (taught !== undefined) {
      const { fact, part } = taught
      const learnt = this.#either(`${owner} ${fact.path}`, `facts.${fact.name} is known`)
      return partOf(fact, part, learnt)
    }
    const { variables } = condition.reads
    const known = [...variables].filter((name) => this.#isKnown(name, condition, values))
    if (known.length === variables.size) return condition.expression.evaluate(values)
    const certain = known.length === 0 ? undefined : valueByThese(condition, values, known)
    if (certain !== undefined) return certain
    return this.#either(this.#keyOf(condition, values, owner), this.#textOf(condition))
  }

  /** Nothing that a condition reads changes within a move without looking different. */
  #keyOf({ path }: Condition, values: Values, owner: string): string {
    const name = `${owner} ${path}`
    const known = this.#values.get(name) ?? []
    const same = known.findIndex((one) => one === values || textOf(one) === textOf(values))
    if (same >= 0) return `${name} ${same}`
    this.#values.set(name, [...known, values])
    return `${name} ${known.length}`
  }

  #textOf(condition: Condition): string {
    const text = this.#texts.get(condition) ?? quotedCondition(condition.text)
    this.#texts.set(condition, text)
    return text
  }

  #either(key: string, text: string): boolean {
    const holds = this.#answers.get(key) ?? false
    this.#choices.set(key, { text, holds })
    return holds
  }

  /** Whether all runs in this situation have the same value for what a condition reads of it. */
  #isKnown(name: string, condition: Condition, values: Values): boolean {
    if (name === 'marks' || name === 'state') return true
    if (name === 'facts') return areMissing(condition, values.facts)
    return this.#isConcrete && ofCall.has(name)
  }
}

/**
 * What some variables alone decide: `args.amount > 0 && …` is false of a negative amount, whatever
 * the rest says. A variable that is left out has no value, so that nothing is decided by it.
 */
function valueByThese(
  condition: Condition,
  values: Values,
  names: readonly string[],
): boolean | undefined {
  if (values[sealedValues] === true) return undefined
  const known = Object.fromEntries(names.map((name) => [name, values[name]]))
  const value = expressionValue(condition, known)
  return typeof value === 'boolean' ? value : undefined
}

interface FactPart {
  readonly fact: MachineFact
  readonly part: 'when' | 'each' | 'key' | 'value'
}

const ofCall: ReadonlySet<string> = new Set(['args', 'tool', 'server', 'files', 'shell'])

/** That a fact was learnt is known, what it says is not: none of those that it reads is there. */
function areMissing({ expression }: Condition, facts: unknown): boolean {
  const known = Object.keys(Object(facts))
  if (known.length === 0) return true
  return pathsIn(expression.ast).every(({ path: { root, names } }) => {
    const [name] = names
    return root !== 'facts' || (name !== undefined && !known.includes(name))
  })
}

/**
 * One key stands for all: a result either leaves a fact known or not known. Where it does not,
 * what was known before is withdrawn, if the fact can do that at all (FC-2).
 */
function partOf({ when, each, value }: MachineFact, part: FactPart['part'], learnt: boolean) {
  const withdraws = when !== null || value !== null
  switch (part) {
    case 'when':
      return learnt
    case 'each':
      return learnt || value !== null ? ['item'] : []
    case 'key':
      return learnt || withdraws || each !== null ? 'any' : undefined
    default:
      return learnt ? true : undefined
  }
}

function textOf(values: Values): string {
  return JSON.stringify(values, (_, value) => (typeof value === 'bigint' ? String(value) : value))
}

import type { Condition, Values } from '../condition/condition.ts'
import type { CallRule, MachineFact, MachineMark } from '../condition/rules.ts'
import type { CompiledPolicy, CompiledRule } from '../policy/compile-policy.ts'
import type { Machine, MachineGuard, MachineState, MachineTransition, Program } from './machine.ts'

/** Says what an expression is worth, in its place or by asking it. Undefined is unknown. */
export type Oracle = (condition: Condition, values: Values, owner: string) => unknown

/** May put another guard in the place of one that reads no expression. */
export type GuardOracle = (guard: MachineGuard, owner: string) => MachineGuard

/**
 * The same program with an oracle in the place of every expression: a proof wants both answers of
 * a condition, a replay those whose inputs nobody recorded. All else, the judge included, stays.
 */
export function withOracle(
  program: Program,
  oracle: Oracle,
  guard: GuardOracle = (one) => one,
): Program {
  const machines = new Map(
    [...program.machines].map(([id, machine]) => {
      return [id, machineWith(machine, through(oracle, id), (one) => guard(one, id))]
    }),
  )
  return { ...program, machines, root: machines.get(program.root.id) ?? program.root }
}

/** The same for a policy that stands outside of definitions. */
export function policyWithOracle(policy: CompiledPolicy, oracle: Oracle): CompiledPolicy {
  return policyThrough(policy, through(oracle, policy.name))
}

type Change = (condition: Condition) => Condition
type ChangeGuard = (guard: MachineGuard) => MachineGuard

function through(oracle: Oracle, owner: string): Change {
  return (condition) => {
    const evaluate = (values: Values) => oracle(condition, values, owner)
    return { ...condition, expression: { ...condition.expression, evaluate } }
  }
}

function orNull(condition: Condition | null, change: Change): Condition | null {
  return condition === null ? null : change(condition)
}

function machineWith(machine: Machine, change: Change, guard: ChangeGuard): Machine {
  const { states, facts, marks, calls, interrupts, policy } = machine
  const read = (one: MachineGuard) =>
    one.kind === 'condition' ? { ...one, condition: change(one.condition) } : guard(one)
  return {
    ...machine,
    states: new Map([...states].map(([name, state]) => [name, stateWith(state, change, read)])),
    facts: facts.map((fact) => factWith(fact, change)),
    marks: marks.map((mark) => markWith(mark, change)),
    calls: calls.map((rule) => ruleWith(rule, change)),
    interrupts: interrupts.map((one) => ({ ...one, when: orNull(one.when, change) })),
    policy: policy === null ? null : policyThrough(policy, change),
  }
}

function stateWith(state: MachineState, change: Change, guard: ChangeGuard): MachineState {
  const transitions = new Map(
    [...state.transitions].map(([event, one]) => [event, transitionWith(one, guard)]),
  )
  return { ...state, transitions, calls: state.calls.map((rule) => ruleWith(rule, change)) }
}

function transitionWith(transition: MachineTransition, guard: ChangeGuard): MachineTransition {
  if (transition.kind !== 'move') return transition
  const candidates = transition.candidates.map((one) => ({
    ...one,
    guards: one.guards.map(guard),
  }))
  return { ...transition, candidates }
}

function factWith(fact: MachineFact, change: Change): MachineFact {
  const { when, each, key, value } = fact
  return {
    ...fact,
    when: orNull(when, change),
    each: orNull(each, change),
    key: orNull(key, change),
    value: orNull(value, change),
  }
}

function markWith(mark: MachineMark, change: Change): MachineMark {
  return { ...mark, when: orNull(mark.when, change) }
}

function ruleWith(rule: CallRule, change: Change): CallRule {
  return { ...rule, require: change(rule.require) }
}

/** A rule stands in several lists of a policy and is told apart by what it is: once each. */
function policyThrough(policy: CompiledPolicy, change: Change): CompiledPolicy {
  const made = new Map<CompiledRule, CompiledRule>()
  const ruleOf = (rule: CompiledRule): CompiledRule => {
    const known = made.get(rule)
    if (known !== undefined) return known
    const changed = { ...rule, when: orNull(rule.when, change) }
    made.set(rule, changed)
    return changed
  }
  return {
    ...policy,
    exact: new Map([...policy.exact].map(([text, rules]) => [text, rules.map(ruleOf)])),
    prefixes: policy.prefixes.map(ruleOf),
    models: policy.models.map(ruleOf),
    marks: policy.marks.map((mark) => markWith(mark, change)),
  }
}

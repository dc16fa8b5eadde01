import type { ReasonFacts } from '../base/problem.ts'
import { type Phrase, phrase } from '../base/text/phrase.ts'
import { type Condition, type Holds, holds, type Values } from '../condition/condition.ts'
import type { CallRule } from '../condition/rules.ts'
import { quotedCondition, seenBy } from '../condition/saw.ts'
import type { Machine, MachineState } from '../machine/machine.ts'
import { type CompiledPolicy, policyOwner } from '../policy/compile-policy.ts'
import { type ConditionFacts, valuesFor } from '../run/condition-values.ts'
import type { ToolCall } from '../run/tool-call.ts'
import { type CallShape, touches } from './call-shape.ts'
import { meantBy } from './meant-rules.ts'

/** What the conditions of a definition have against a call, those of the state included (FC-1). */
export function judgeConditions(
  machine: Machine,
  state: MachineState | null,
  call: ToolCall,
  shape: CallShape,
  factsIn: (machine: Machine) => ConditionFacts,
): readonly ReasonFacts[] {
  const more = state?.calls ?? []
  if (machine.calls.length === 0 && more.length === 0) return []
  const all = [...meantBy(machine, shape.ref).calls, ...more]
  const rules = all.filter(({ tools }) => touches(tools, call, shape))
  if (rules.length === 0) return []
  const needed = rules.map(({ require }) => require)
  const values = valuesFor(needed, factsIn(machine))
  return rules.flatMap((rule) => {
    const known = holds(rule.require, values)
    return known === true ? [] : [failed(rule, machine, values, known)]
  })
}

/** Names the condition, what it saw, what its author says, and which call would help (FC-15). */
function failed(rule: CallRule, machine: Machine, values: Values, known: Holds): ReasonFacts {
  const { require, message, path } = rule
  const saw = seenBy(require, values).map(({ what, value }) =>
    value === null
      ? phrase('condition_saw_nothing', { what })
      : phrase('condition_saw', { what, value }),
  )
  const missing = missingFacts(require, machine, values, known)
  const phrases: Phrase[] = [
    ...(message === null ? [] : [phrase('condition_message', { message })]),
    phrase(known === 'unknown' ? 'condition_unknown' : 'condition_not_met', {
      condition: quotedCondition(require.text),
    }),
    ...(saw.length === 0 ? [] : [phrase('condition_saw_all', { saw })]),
    ...missing,
  ]
  return { code: 'condition_failed', message: phrase('condition_failed', { told: phrases }), path }
}

/**
 * Facts that the condition names and nobody has taught, with the calls that would. Where all are
 * known and the condition still has no value, a key is what is missing.
 */
function missingFacts(
  condition: Condition,
  machine: Machine,
  values: Values,
  known: Holds,
): readonly Phrase[] {
  const learnt = values.facts
  const has = (name: string) =>
    typeof learnt === 'object' && learnt !== null && Object.hasOwn(learnt, name)
  const named = machine.facts.filter(({ name }) => condition.reads.facts.includes(name))
  const untaught = named.filter(({ name }) => !has(name))
  const keyed = known === 'unknown' ? named.filter(({ key }) => key !== null) : []
  return (untaught.length > 0 ? untaught : keyed).map(({ name, teachers }) =>
    phrase('condition_taught_by', { fact: name, tools: teachers }),
  )
}

/** Reads the conditions of a policy with what is known of the call. */
export function policyReader(
  policy: CompiledPolicy,
  facts: ConditionFacts,
): (condition: Condition) => Holds {
  const owned = { owner: policyOwner(policy), marks: policy.marks }
  return (condition) => holds(condition, valuesFor([condition], { ...facts, owned: [owned] }))
}

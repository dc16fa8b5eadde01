import { unreachable } from '../base/invariant.ts'
import { own } from '../base/own.ts'
import type { ReasonFacts } from '../base/problem.ts'
import { type Phrase, phrase } from '../base/text/phrase.ts'
import type { CompiledPolicy, CompiledRule, MatchedRule, PolicyAnswer } from './compile-policy.ts'
import type { CounterTake, CounterUsage, UsageFacts } from './usage.ts'

/**
 * What a policy says of a capability: deny first, then ask, then allow, each list in the order
 * written; without a match the default (PO-2). A rule whose rate or budget is used up denies, and
 * no weaker rule is asked instead (PO-4).
 */
export function evaluatePolicy(
  policy: CompiledPolicy,
  capability: string,
  usage: UsageFacts,
  mode: { readonly strict: boolean } = open,
): PolicyAnswer {
  const rule = findRule(policy, capability)
  if (rule === undefined) return mode.strict ? policy.unmatchedStrict : policy.unmatched
  for (const counter of rule.counters) {
    if (own(usage, counter.key)?.free !== true) return usedUp(rule, usage)
  }
  return rule.answer
}

/** Keys of the counters whose usage a decision on this capability needs. */
export function countersFor(policy: CompiledPolicy, capability: string): readonly CounterTake[] {
  return findRule(policy, capability)?.counters ?? noCounters
}

/** Every rule that has a rate or a budget, in the order in which they are asked. */
export function limitedRules(policy: CompiledPolicy): readonly LimitedRule[] {
  const rules = new Set([...policy.exact.values(), ...policy.prefixes])
  const order = { deny: 0, ask: 1, allow: 2 } as const
  return [...rules]
    .filter(({ counters }) => counters.length > 0)
    .map(({ matched, counters }) => ({ matched, counters }))
    .toSorted(
      ({ matched: left }, { matched: right }) =>
        order[left.list] - order[right.list] || left.index - right.index,
    )
}

export interface LimitedRule {
  readonly matched: MatchedRule
  readonly counters: readonly CounterTake[]
}

const open = { strict: false } as const
const noCounters: readonly CounterTake[] = []

function findRule(policy: CompiledPolicy, capability: string): CompiledRule | undefined {
  const exact = policy.exact.get(capability)
  if (exact !== undefined) return exact
  for (const rule of policy.prefixes) {
    if (capability.startsWith(rule.pattern.text)) return rule
  }
  return undefined
}

function usedUp({ matched, answer, counters }: CompiledRule, usage: UsageFacts): PolicyAnswer {
  const reasons: ReasonFacts[] = []
  for (const counter of counters) {
    const facts = own(usage, counter.key)
    if (facts?.free === true) continue
    reasons.push({
      code: counter.kind === 'rate' ? 'rate_exceeded' : 'budget_exceeded',
      message: usedUpPhrase(counter, matched.capability, facts),
      path: `${matched.path}.${counter.kind}_limit`,
    })
  }
  const { rule } = answer
  return { kind: 'deny', ...(rule === undefined ? {} : { rule }), matched, reasons, takes: [] }
}

function usedUpPhrase(
  counter: CounterTake,
  capability: string,
  facts: CounterUsage | undefined,
): Phrase {
  const usage = usagePhrase(counter, facts)
  switch (counter.kind) {
    case 'rate': {
      const { maxCalls: most, windowMs: window } = counter
      if (most === 1) return phrase('rate_of_one_exceeded', { capability, window, usage })
      return phrase('rate_exceeded', { most, capability, window, usage })
    }
    case 'budget': {
      const { period, maxMicros: most } = counter
      return phrase('budget_exceeded', { period, capability, most, usage })
    }
    default:
      return unreachable(counter)
  }
}

/** A counter that could not be read is no leave to go on: no answer means no. */
function usagePhrase({ kind }: CounterTake, facts: CounterUsage | undefined): Phrase {
  if (facts === undefined) return phrase('usage_unknown')
  const { used, resetsAt: until } = facts
  const isKnown = until !== null && !Number.isNaN(new Date(until).getTime())
  if (kind === 'rate') {
    return isKnown ? phrase('calls_used_until', { used, until }) : phrase('calls_used', { used })
  }
  return isKnown ? phrase('money_used_until', { used, until }) : phrase('money_used', { used })
}

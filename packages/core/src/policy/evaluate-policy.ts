import { unreachable } from '../base/invariant.ts'
import { own } from '../base/own.ts'
import type { Reason } from '../base/problem.ts'
import type { CompiledPolicy, CompiledRule, MatchedRule, PolicyAnswer } from './compile-policy.ts'
import { formatUsd } from './money.ts'
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
  const reasons: Reason[] = []
  for (const counter of counters) {
    const facts = own(usage, counter.key)
    if (facts?.free === true) continue
    reasons.push({
      code: counter.kind === 'rate' ? 'rate_exceeded' : 'budget_exceeded',
      message: `${describeLimit(counter, matched.capability)}; ${describeUsage(counter, facts)}`,
      path: `${matched.path}.${counter.kind}_limit`,
    })
  }
  const { rule } = answer
  return { kind: 'deny', ...(rule === undefined ? {} : { rule }), matched, reasons, takes: [] }
}

function describeLimit(counter: CounterTake, capability: string): string {
  switch (counter.kind) {
    case 'rate': {
      const { maxCalls, windowMs } = counter
      const calls = maxCalls === 1 ? '1 call' : `${maxCalls} calls`
      return `The policy allows ${calls} of ${capability} in ${windowMs / 1000} seconds`
    }
    case 'budget':
      return `The ${counter.period} budget of ${capability} is ${formatUsd(counter.maxMicros)}`
    default:
      return unreachable(counter)
  }
}

/** A counter that could not be read is no leave to go on: no answer means no. */
function describeUsage(counter: CounterTake, facts: CounterUsage | undefined): string {
  if (facts === undefined) return 'what was used is not known, so the call is denied.'
  const used = counter.kind === 'rate' ? String(facts.used) : formatUsd(facts.used)
  const until = facts.resetsAt === null ? undefined : isoTime(facts.resetsAt)
  return until === undefined ? `${used} used.` : `${used} used. There is room again at ${until}.`
}

/** Undefined for a time that no calendar holds. */
function isoTime(ms: number): string | undefined {
  const date = new Date(ms)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

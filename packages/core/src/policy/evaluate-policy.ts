import { unreachable } from '../base/invariant.ts'
import { own } from '../base/own.ts'
import type { ReasonFacts } from '../base/problem.ts'
import { type Phrase, phrase } from '../base/text/phrase.ts'
import type { Condition, Holds } from '../condition/condition.ts'
import { matchesCapability } from './capability.ts'
import type { CompiledPolicy, CompiledRule, MatchedRule, PolicyAnswer } from './compile-policy.ts'
import type { CounterTake, CounterUsage, UsageFacts } from './usage.ts'

/**
 * What a call does in the words of policies (PO-3b). It needs each of the first, of which a policy
 * speaks as of a call of its own; of the others only a rule speaks that denies them or asks.
 */
export interface CallCapabilities {
  readonly needed: readonly string[]
  readonly touched: readonly string[]
}

export interface PolicyMode {
  readonly strict: boolean
  /** No cost can come of the call, so that no money is held back for it. */
  readonly isFree?: boolean
  /** It is a request to a model: only rules about models and budgets speak of it (PO-9). */
  readonly isModel?: boolean
  /** Reads a condition with what is known of the call; without it nothing is known. */
  readonly holds?: (condition: Condition) => Holds
}

/** What a policy says of a call, one answer for each rule that speaks of it. */
export function evaluateCall(
  policy: CompiledPolicy,
  { needed, touched }: CallCapabilities,
  usage: UsageFacts,
  mode: PolicyMode = open,
): readonly PolicyAnswer[] {
  const [only, ...more] = needed
  if (only !== undefined && more.length === 0 && touched.length === 0) {
    return [evaluatePolicy(policy, only, usage, mode)]
  }
  return rulesFor(policy, { needed, touched }, mode).map((rule) =>
    answerOf(policy, rule, usage, mode),
  )
}

/**
 * What a policy says of a capability: deny first, then ask, then allow, each list in the order
 * written; without a match the default (PO-2). A rule whose rate or budget is used up denies, and
 * no weaker rule is asked instead (PO-4).
 */
export function evaluatePolicy(
  policy: CompiledPolicy,
  capability: string,
  usage: UsageFacts,
  mode: PolicyMode = open,
): PolicyAnswer {
  return answerOf(policy, findRule(policy, capability, mode), usage, mode)
}

/** Counters whose usage a decision on this call may need, whichever conditions hold. */
export function countersFor(
  policy: CompiledPolicy,
  { needed, touched }: CallCapabilities,
  { isModel }: Pick<PolicyMode, 'isModel'> = {},
): readonly CounterTake[] {
  const rulesOf = (one: string) =>
    isModel === true ? modelRules(policy, one) : possibleRules(policy, one)
  const rules = new Set([...needed, ...touched].flatMap(rulesOf))
  return [...rules].flatMap(({ counters }) => counters)
}

/** The rules that can speak of a capability, up to the first one without a condition. */
function possibleRules(policy: CompiledPolicy, capability: string): readonly CompiledRule[] {
  const exact = policy.exact.get(capability)
  if (exact !== undefined) return exact
  const wider = policy.prefixes.filter(({ pattern }) => capability.startsWith(pattern.text))
  const last = wider.findIndex(({ when }) => when === null)
  return last < 0 ? wider : wider.slice(0, last + 1)
}

function modelRules({ models }: CompiledPolicy, capability: string): readonly CompiledRule[] {
  return models.filter(({ pattern }) => matchesCapability(pattern, capability))
}

/** Every condition that may be read for a call. */
export function conditionsFor(
  policy: CompiledPolicy,
  { needed, touched }: CallCapabilities,
): readonly Condition[] {
  const all = [...needed, ...touched].flatMap((one) => possibleRules(policy, one))
  return all.flatMap(({ when }) => when ?? [])
}

/** Every rule that has a rate or a budget, in the order in which they are asked. */
export function limitedRules(policy: CompiledPolicy): readonly LimitedRule[] {
  const rules = new Set([...[...policy.exact.values()].flat(), ...policy.prefixes])
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

/** Each rule once, however many of the capabilities it covers: one call counts once. */
function rulesFor(
  policy: CompiledPolicy,
  { needed, touched }: CallCapabilities,
  mode: PolicyMode,
): readonly (CompiledRule | undefined)[] {
  const rules = new Set(needed.map((capability) => findRule(policy, capability, mode)))
  for (const capability of touched) {
    const rule = findRule(policy, capability, mode)
    if (rule !== undefined && rule.matched.list !== 'allow') rules.add(rule)
  }
  return [...rules]
}

function answerOf(
  policy: CompiledPolicy,
  rule: CompiledRule | undefined,
  usage: UsageFacts,
  mode: PolicyMode,
): PolicyAnswer {
  if (rule === undefined) return unmatchedAnswer(policy, mode)
  for (const counter of rule.counters) {
    if (!hasRoom(counter, usage, mode)) return usedUp(rule, usage, mode)
  }
  const { answer } = rule
  if (mode.isFree !== true || answer.takes.length === 0) return answer
  return { ...answer, takes: answer.takes.filter(({ kind }) => kind === 'rate') }
}

/** What stands for calls that no rule names is written for tools. */
function unmatchedAnswer(policy: CompiledPolicy, { strict, isModel }: PolicyMode): PolicyAnswer {
  if (isModel === true) return unmatchedModel
  return strict ? policy.unmatchedStrict : policy.unmatched
}

const unmatchedModel: PolicyAnswer = { kind: 'allow', reasons: [], takes: [] }

/** Whether a call fits. One that cannot cost anything needs only that the money is not gone. */
export function hasRoom(
  { kind, key }: CounterTake,
  usage: UsageFacts,
  { isFree }: Pick<PolicyMode, 'isFree'>,
): boolean {
  const facts = own(usage, key)
  if (facts === undefined) return false
  return kind === 'budget' && isFree === true ? facts.used < facts.max : facts.free
}

function findRule(
  policy: CompiledPolicy,
  capability: string,
  mode: PolicyMode,
): CompiledRule | undefined {
  if (mode.isModel === true) {
    return modelRules(policy, capability).find((rule) => speaks(rule, mode))
  }
  const exact = policy.exact.get(capability)
  if (exact !== undefined) return exact.find((rule) => speaks(rule, mode))
  return policy.prefixes.find(
    (rule) => capability.startsWith(rule.pattern.text) && speaks(rule, mode),
  )
}

/** What is not known makes a rule speak that denies or asks, and one that allows not (FC-6). */
function speaks({ when, matched }: CompiledRule, mode: PolicyMode): boolean {
  if (when === null) return true
  const known = mode.holds?.(when) ?? 'unknown'
  return known === 'unknown' ? matched.list !== 'allow' : known
}

function usedUp(
  { matched, answer, counters }: CompiledRule,
  usage: UsageFacts,
  mode: PolicyMode,
): PolicyAnswer {
  const reasons: ReasonFacts[] = []
  for (const counter of counters) {
    if (hasRoom(counter, usage, mode)) continue
    const facts = own(usage, counter.key)
    reasons.push({
      code: counter.kind === 'rate' ? 'rate_exceeded' : 'budget_exceeded',
      message: usedUpPhrase(counter, matched.capability, facts),
      path: `${matched.path}.${counter.kind}_limit`,
    })
  }
  const { rule } = answer
  const spoke = { ...(rule === undefined ? {} : { rule }), matched, counters }
  return { kind: 'deny', ...spoke, reasons, takes: [] }
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
      if (facts?.waits === true) {
        const { used, resetsAt: until } = facts
        return phrase('budget_waits', { period, capability, most, used, until })
      }
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

import type { ReasonFacts } from '../base/problem.ts'
import { phrase } from '../base/text/phrase.ts'
import { type Condition, compileCondition } from '../condition/condition.ts'
import { compileMarks, type MachineMark } from '../condition/rules.ts'
import { quotedCondition } from '../condition/saw.ts'
import type { Scope as ConditionScope } from '../condition/variables.ts'
import {
  type CapabilityPattern,
  compileCapability,
  matchesCapability,
  namesModels,
} from './capability.ts'
import { limitMicros, toMicros } from './money.ts'
import type { Policy, PolicyRule } from './policy-schema.ts'
import type { CounterTake } from './usage.ts'

export type PolicyList = 'deny' | 'ask' | 'allow'

/** Which rule spoke, and its place in the definition. */
export interface MatchedRule {
  readonly list: PolicyList
  readonly index: number
  readonly capability: string
  readonly path: string
  /** The condition under which it speaks. */
  readonly when?: string
}

/** What one policy says of a call. */
export interface PolicyAnswer {
  readonly kind: PolicyList
  /** The rule by a key that stays the same over versions of the policy. */
  readonly rule?: string
  readonly matched?: MatchedRule
  readonly reasons: readonly ReasonFacts[]
  /** Counters that the call uses when it is let through. */
  readonly takes: readonly CounterTake[]
  /** Every counter of the rule, also one that is used up. */
  readonly counters?: readonly CounterTake[]
}

export interface CompiledRule {
  readonly matched: MatchedRule
  readonly pattern: CapabilityPattern
  readonly when: Condition | null
  readonly counters: readonly CounterTake[]
  /** The answer while no counter is used up: made once, since most calls get it. */
  readonly answer: PolicyAnswer
}

export interface CompiledPolicy {
  readonly name: string
  /**
   * The rules that decide a capability written out somewhere in the policy, in the order they are
   * asked: those with a condition, up to the first one without.
   */
  readonly exact: ReadonlyMap<string, readonly CompiledRule[]>
  /** Rules with a star, in the order they are asked. */
  readonly prefixes: readonly CompiledRule[]
  /** Rules that speak of requests to models, in the order they are asked (PO-9). */
  readonly models: readonly CompiledRule[]
  /** Marks of its own, which its conditions read (FC-8). */
  readonly marks: readonly MachineMark[]
  readonly unmatched: PolicyAnswer
  /** The answer in strict mode, where no match is denied unless the author wrote otherwise. */
  readonly unmatchedStrict: PolicyAnswer
}

/**
 * Compiles a policy that was parsed and checked. Its name stays over versions and is part of the
 * counters' keys; `path` is where the policy stands in its definition.
 */
export function compilePolicy(
  policy: Policy,
  name: string,
  path = 'policy',
  reads: ConditionScope = 'call',
): CompiledPolicy {
  const scope: Scope = { name, path, reads }
  const rules = [
    ...compileList('deny', policy.deny ?? [], scope),
    ...compileList('ask', policy.ask ?? [], scope),
    ...compileList('allow', policy.allow ?? [], scope),
  ]
  const prefixes = rules.filter((rule) => rule.pattern.isPrefix)
  return {
    name,
    exact: decideExact(rules, prefixes),
    prefixes,
    models: rules.filter(speaksOfModels),
    marks: compileMarks(policy.marks, `${path}.marks`, reads),
    unmatched: policy.default === 'deny' ? denyUnmatched(path) : allowUnmatched,
    unmatchedStrict: policy.default === 'allow' ? allowUnmatched : denyUnmatched(path),
  }
}

interface Scope {
  readonly name: string
  readonly path: string
  readonly reads: ConditionScope
}

function compileList(
  list: PolicyList,
  rules: readonly PolicyRule[],
  { name, path, reads }: Scope,
): CompiledRule[] {
  return rules.flatMap((rule, index) => {
    const pattern = compileCapability(rule.capability)
    // A pattern nobody can read must not open anything; in the other lists it closes more.
    if (pattern.isBroken && list === 'allow') return []
    const capability = pattern.isPrefix ? `${pattern.text}*` : pattern.text
    const rulePath = `${path}.${list}.${index}`
    const condition = rule.when === undefined ? {} : { when: rule.when }
    const matched = { list, index, capability, path: rulePath, ...condition }
    const key = [name, list, capability, ...(rule.when === undefined ? [] : [rule.when])]
    const counters = compileCounters(rule, key)
    const answer: PolicyAnswer = {
      kind: list,
      rule: JSON.stringify(key),
      matched,
      reasons: reasonsOf(matched),
      takes: list === 'deny' ? [] : counters,
      ...(counters.length === 0 ? {} : { counters }),
    }
    const when =
      rule.when === undefined ? null : compileCondition(rule.when, `${rulePath}.when`, reads)
    return [{ matched, pattern, when, counters, answer }]
  })
}

/** A rule about tools that covers everything holds models as well by what they may cost. */
function speaksOfModels({ pattern, counters, matched }: CompiledRule): boolean {
  if (namesModels(pattern)) return true
  const isWide = pattern.isPrefix && 'model:'.startsWith(pattern.text)
  return isWide && matched.list !== 'deny' && counters.some(({ kind }) => kind === 'budget')
}

/**
 * Finds beforehand which rules speak first for every capability that is written out, rules with a
 * star included, so that deciding such a call is one look-up.
 */
function decideExact(
  rules: readonly CompiledRule[],
  prefixes: readonly CompiledRule[],
): ReadonlyMap<string, readonly CompiledRule[]> {
  const order = new Map(rules.map((rule, index) => [rule, index]))
  const written = Map.groupBy(
    rules.filter(({ pattern }) => !pattern.isPrefix),
    ({ pattern }) => pattern.text,
  )
  return new Map(
    [...written].map(([text, named]) => {
      const wider = prefixes.filter(({ pattern }) => matchesCapability(pattern, text))
      const all = [...named, ...wider].toSorted(
        (left, right) => (order.get(left) ?? 0) - (order.get(right) ?? 0),
      )
      return [text, untilUnconditional(all)]
    }),
  )
}

/** Rules behind one that always speaks are never asked. */
function untilUnconditional(rules: readonly CompiledRule[]): readonly CompiledRule[] {
  const last = rules.findIndex(({ when }) => when === null)
  return last < 0 ? rules : rules.slice(0, last + 1)
}

function compileCounters(rule: PolicyRule, scope: readonly string[]): CounterTake[] {
  const counters: CounterTake[] = []
  const { rate_limit: rate, budget_limit: budget, reserve_usd: reserve } = rule
  if (rate !== undefined) {
    counters.push({
      kind: 'rate',
      key: JSON.stringify([...scope, rate.window_seconds]),
      maxCalls: rate.max_calls,
      windowMs: rate.window_seconds * 1000,
    })
  }
  if (budget !== undefined) {
    counters.push({
      kind: 'budget',
      key: JSON.stringify([...scope, budget.period]),
      period: budget.period,
      maxMicros: limitMicros(budget.max_usd),
      reserveMicros: reserve === undefined ? null : toMicros(reserve),
    })
  }
  return counters
}

function reasonsOf({ list, capability, path, when }: MatchedRule): readonly ReasonFacts[] {
  if (list === 'deny') {
    const message =
      when === undefined
        ? phrase('policy_denied', { capability })
        : phrase('policy_denied_when', { capability, condition: quotedCondition(when) })
    return [{ code: 'policy_denied', message, path }]
  }
  if (list === 'ask') {
    const message =
      when === undefined
        ? phrase('approval_required', { capability })
        : phrase('approval_required_when', { capability, condition: quotedCondition(when) })
    return [{ code: 'approval_required', message, path }]
  }
  return []
}

const allowUnmatched: PolicyAnswer = { kind: 'allow', reasons: [], takes: [] }

function denyUnmatched(path: string): PolicyAnswer {
  const message = phrase('policy_unmatched')
  const reasons: ReasonFacts[] = [{ code: 'policy_denied', message, path: `${path}.default` }]
  return { kind: 'deny', reasons, takes: [] }
}

const ownerPrefix = 'policy '

/** The key under which a run keeps the marks of a policy. */
export function policyOwner({ name }: Pick<CompiledPolicy, 'name'>): string {
  return ownerPrefix + name
}

export function isPolicyOwner(owner: string): boolean {
  return owner.startsWith(ownerPrefix)
}

import type { Policy } from '@statewright/core/internal'
import type { AttachedPolicy, DefinedPolicy, RuleUsage } from '@statewright/core/wire'

export type PolicyRule = NonNullable<Policy['allow']>[number]

/** A policy as the page shows it, wherever it comes from. */
export interface ShownPolicy {
  /** As usage and reasons name it. */
  readonly key: string
  readonly title: string
  readonly where: string
  readonly policy: Policy
  /** One that can be edited here; those of definitions are edited with their definition. */
  readonly attached: AttachedPolicy | null
  readonly defined: DefinedPolicy | null
}

export interface ShownRule {
  readonly list: 'deny' | 'ask' | 'allow'
  readonly rule: PolicyRule
  readonly usage: readonly RuleUsage[]
}

export function shownPolicies(
  attached: readonly AttachedPolicy[],
  defined: readonly DefinedPolicy[],
): readonly ShownPolicy[] {
  return [
    ...attached.map((one) => ({
      key: `policy:${one.name}`,
      title: one.name,
      where: scopeWords(one),
      policy: one.policy,
      attached: one,
      defined: null,
    })),
    ...defined.map((one) => ({
      key: one.name,
      title: one.definition,
      where: `every call of a run of this ${one.kind}`,
      policy: one.policy,
      attached: null,
      defined: one,
    })),
  ]
}

function scopeWords({ project, policy }: AttachedPolicy): string {
  if (project !== null) return `calls in the project ${project}`
  return policy.role === undefined ? 'calls of everybody' : `calls of the role ${policy.role}`
}

/** The rules in the order in which they are asked (PO-2), each with what is used of it. */
export function orderedRules(
  { key, policy }: ShownPolicy,
  usage: readonly RuleUsage[],
): readonly ShownRule[] {
  return (['deny', 'ask', 'allow'] as const).flatMap((list) =>
    (policy[list] ?? []).map((rule, index) => ({
      list,
      rule,
      usage: usage.filter(
        (one) => one.policy === key && one.rule.list === list && one.rule.index === index,
      ),
    })),
  )
}

export const examplePolicy = `role: agent
deny:
  - capability: mcp:filesystem:write_*
ask:
  - capability: webfetch
allow:
  - capability: bash
    rate_limit: { max_calls: 60, window_seconds: 3600 }
  - capability: agent
    budget_limit: { max_usd: 5, period: daily }
default: allow
`

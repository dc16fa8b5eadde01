import {
  type CompiledPolicy,
  compilePolicy,
  limitedRules,
  type MatchedRule,
  own,
  type Policy,
} from '@statewright/core/internal'
import { type UsedOf, usedOf } from '../base/used-of.ts'
import { readDefinition } from '../runtime/programs.ts'
import type { Runtime } from '../runtime/runtime.ts'

/** A limit of a rule, and how far one role has used it. */
export interface RuleUsage extends UsedOf {
  readonly policy: string
  readonly role: string
  readonly rule: MatchedRule
}

/** What each of these roles has used of every rule that has a rate or a budget. */
export async function ruleUsage(
  runtime: Runtime,
  roles: readonly string[],
): Promise<readonly RuleUsage[]> {
  const held = [...(await attachedPolicies(runtime)), ...(await definedPolicies(runtime))]
  const at = runtime.clock.now()
  const found: RuleUsage[] = []
  for (const role of roles) {
    for (const { policy } of held.filter((one) => one.role === null || one.role === role)) {
      for (const { matched, counters } of limitedRules(policy)) {
        const { capability } = matched
        const usage = await runtime.store.counters.usage(counters, {
          ...{ role, at, capability },
          session: '',
        })
        for (const take of counters) {
          const facts = own(usage, take.key)
          if (facts === undefined) continue
          found.push({ policy: policy.name, role, rule: matched, ...usedOf(take, facts) })
        }
      }
    }
  }
  return found
}

interface PolicyOfRole {
  readonly policy: CompiledPolicy
  /** The only role it speaks to; null when it speaks to all. */
  readonly role: string | null
}

async function attachedPolicies(runtime: Runtime): Promise<PolicyOfRole[]> {
  const { all } = await runtime.policies.current()
  return all.map(({ row, policy, compiled }) => ({
    policy: compiled,
    role: row.project === null ? (policy.role ?? null) : null,
  }))
}

/** A policy as a definition carries it, in its newest version. */
export interface DefinedPolicy {
  readonly name: string
  readonly definition: string
  readonly kind: 'workflow' | 'process'
  readonly version: number
  readonly policy: Policy
}

export async function policiesOfDefinitions(runtime: Runtime): Promise<readonly DefinedPolicy[]> {
  const rows = await runtime.store.definitions.list()
  return rows.flatMap((row): DefinedPolicy[] => {
    const { policy } = readDefinition(row).definition
    const { kind, name: definition, version } = row
    if (policy === undefined) return []
    return [{ name: `${kind}:${definition}`, definition, kind, version, policy }]
  })
}

/** Counters belong to the policy by name, so that the newest version shows those of all (PO-5a). */
async function definedPolicies(runtime: Runtime): Promise<PolicyOfRole[]> {
  const found = await policiesOfDefinitions(runtime)
  return found.map(({ name, policy }) => ({ policy: compilePolicy(policy, name), role: null }))
}

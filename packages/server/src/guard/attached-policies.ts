import {
  type CompiledPolicy,
  type CounterTake,
  type CounterUsage,
  countersFor,
  type ExternalAnswer,
  evaluatePolicy,
  own,
  type UsageFacts,
} from '@statewright/core'
import type { LiveRun } from '../runtime/live-runs.ts'
import type { RuntimeParts } from '../runtime/parts.ts'
import type { CallScope } from '../runtime/policies.ts'
import { type UsedOf, usedOf } from '../runtime/used-of.ts'

/** What stands in the event of a call about policies and their counters. */
export interface PolicyFacts {
  /** Usage that the definition's own policies need; undefined when they count nothing. */
  readonly usage: UsageFacts | undefined
  /** What policies of the project and role said: answers, not texts, so that replay needs none. */
  readonly answers: readonly ExternalAnswer[]
  /** Rules that ask a person, by their key, with what is used of their limits. */
  readonly asking: ReadonlyMap<string, readonly UsedOf[]>
}

/**
 * Reads the counters of every policy that holds for a call, and asks those that do not belong to
 * the definition. It is done anew for each try to commit: between two another call may have taken
 * the last room.
 */
export async function askAttachedPolicies(
  runtime: RuntimeParts,
  live: LiveRun | undefined,
  scope: CallScope,
  call: { readonly capability: string; readonly at: number },
): Promise<PolicyFacts> {
  const { capability, at } = call
  const attached = await runtime.policies.heldFor(scope)
  const mine = ownPolicies(live).flatMap((policy) => countersFor(policy, capability))
  const others = attached.flatMap(({ compiled }) => countersFor(compiled, capability))
  const takes = [...mine, ...others]
  const usage =
    takes.length === 0
      ? {}
      : await runtime.store.counters.usage(takes, { role: scope.role, at, capability })
  // In strict mode what no rule names is denied, unless the author wrote otherwise.
  const strict = live?.snapshot.settings.strict ?? runtime.settings.strict
  const asking = new Map<string, readonly UsedOf[]>()
  for (const policy of [...ownPolicies(live), ...attached.map(({ compiled }) => compiled)]) {
    const { kind, rule } = evaluatePolicy(policy, capability, usage)
    if (kind === 'ask' && rule !== undefined) {
      asking.set(rule, usageShown(countersFor(policy, capability), usage))
    }
  }
  const answers = attached.flatMap(({ compiled }): ExternalAnswer[] => {
    const { kind, rule, reasons, takes } = evaluatePolicy(compiled, capability, usage, {
      strict,
    })
    if (kind === 'allow' && takes.length === 0) return []
    const more = { ...(rule === undefined ? {} : { rule }), ...(takes.length > 0 ? { takes } : {}) }
    return [{ source: compiled.name, kind, reasons, ...more }]
  })
  return { usage: mine.length === 0 ? undefined : only(usage, mine), answers, asking }
}

function ownPolicies(live: LiveRun | undefined): CompiledPolicy[] {
  const machines = live === undefined ? [] : [...live.program.machines.values()]
  return machines.flatMap(({ policy }) => policy ?? [])
}

function usageShown(takes: readonly CounterTake[], usage: UsageFacts): UsedOf[] {
  return takes.flatMap((take) => {
    const facts = own(usage, take.key)
    return facts === undefined ? [] : [usedOf(take, facts)]
  })
}

function only(usage: UsageFacts, takes: readonly CounterTake[]): UsageFacts {
  const facts: Record<string, CounterUsage> = {}
  for (const { key } of takes) {
    const one = own(usage, key)
    if (one !== undefined) facts[key] = one
  }
  return facts
}

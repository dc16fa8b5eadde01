import {
  type Actor,
  askPolicies,
  type CounterTake,
  type CounterUsage,
  countersFor,
  type ExternalAnswer,
  own as ownValue,
  policiesFor,
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
  call: {
    readonly capability: string
    readonly at: number
    readonly by: Actor
    readonly branch?: string | undefined
  },
): Promise<PolicyFacts> {
  const { capability, at, by, branch } = call
  const policies = (await runtime.policies.heldFor(scope)).map(({ compiled }) => compiled)
  const own = live === undefined ? [] : policiesFor(live.program, live.snapshot, by, branch)
  const mine = own.flatMap((policy) => countersFor(policy, capability))
  const others = policies.flatMap((policy) => countersFor(policy, capability))
  const takes = [...mine, ...others]
  const usage =
    takes.length === 0
      ? {}
      : await runtime.store.counters.usage(takes, { role: scope.role, at, capability })
  // In strict mode what no rule names is denied, unless the author wrote otherwise.
  const strict = live?.snapshot.settings.strict ?? runtime.settings.strict
  const asking = new Map<string, readonly UsedOf[]>()
  const words = askPolicies(policies, capability, usage, { strict })
  for (const { policy, answer } of [...askPolicies(own, capability, usage, { strict }), ...words]) {
    const { kind, rule } = answer
    if (kind === 'ask' && rule !== undefined) {
      asking.set(rule, usageShown(countersFor(policy, capability), usage))
    }
  }
  const answers = words.flatMap(({ policy, answer }): ExternalAnswer[] => {
    const { kind, rule, reasons, takes } = answer
    if (kind === 'allow' && takes.length === 0) return []
    const more = { ...(rule === undefined ? {} : { rule }), ...(takes.length > 0 ? { takes } : {}) }
    return [{ source: policy.name, kind, reasons, ...more }]
  })
  return { usage: mine.length === 0 ? undefined : only(usage, mine), answers, asking }
}

function usageShown(takes: readonly CounterTake[], usage: UsageFacts): UsedOf[] {
  return takes.flatMap((take) => {
    const facts = ownValue(usage, take.key)
    return facts === undefined ? [] : [usedOf(take, facts)]
  })
}

function only(usage: UsageFacts, takes: readonly CounterTake[]): UsageFacts {
  const facts: Record<string, CounterUsage> = {}
  for (const { key } of takes) {
    const one = ownValue(usage, key)
    if (one !== undefined) facts[key] = one
  }
  return facts
}

import {
  type Actor,
  askPolicies,
  type CompiledPolicy,
  countersFor,
  own,
  type PolicyAnswer,
  policiesFor,
  type UsageFacts,
} from '@statewright/core'
import type { LiveRun } from '../runtime/live-runs.ts'
import type { RuntimeParts } from '../runtime/parts.ts'
import { type CallScope, heldFor, type PolicySet } from '../runtime/policies.ts'
import { type UsedOf, usedOf } from '../runtime/used-of.ts'

/** Which call the policies are asked about. */
export interface PolicyQuestion {
  readonly capability: string
  readonly scope: CallScope
  readonly by: Actor
  readonly at: number
  /** The run that judges it, whose definitions may carry policies of their own. */
  readonly live: LiveRun | undefined
  readonly branch?: string | undefined
}

/** What one policy says of the call, and how far its limits are used. */
export interface PolicyWord {
  readonly policy: CompiledPolicy
  readonly answer: PolicyAnswer
  readonly used: readonly UsedOf[]
  /** The usage that its answer was made with, by the keys of its counters. */
  readonly usage: UsageFacts
}

export interface PolicyWords {
  /** Of the definitions that the run stands in. */
  readonly defined: readonly PolicyWord[]
  /** Of project and role. */
  readonly attached: readonly PolicyWord[]
}

/** Asks every policy that holds for a call: for a decision, and for whoever wants it explained. */
export async function askAllPolicies(
  { store, settings }: RuntimeParts,
  set: PolicySet,
  question: PolicyQuestion,
): Promise<PolicyWords> {
  const { capability, scope, by, at, live, branch } = question
  const attached = heldFor(set, scope).map(({ compiled }) => compiled)
  const defined = live === undefined ? [] : policiesFor(live.program, live.snapshot, by, branch)
  const takes = [...defined, ...attached].flatMap((policy) => countersFor(policy, capability))
  const { role } = scope
  const usage =
    takes.length === 0 ? {} : await store.counters.usage(takes, { role, at, capability })
  // In strict mode what no rule names is denied, unless the author wrote otherwise.
  const strict = live?.snapshot.settings.strict ?? settings.strict
  const ask = (policies: readonly CompiledPolicy[]) =>
    askPolicies(policies, capability, usage, { strict }).map(
      (word): PolicyWord => ({ ...word, ...usageOf(word.policy, capability, usage) }),
    )
  return { defined: ask(defined), attached: ask(attached) }
}

function usageOf(
  policy: CompiledPolicy,
  capability: string,
  usage: UsageFacts,
): Pick<PolicyWord, 'used' | 'usage'> {
  const known = countersFor(policy, capability).flatMap((take) => {
    const facts = own(usage, take.key)
    return facts === undefined ? [] : [{ take, facts }]
  })
  return {
    used: known.map(({ take, facts }) => usedOf(take, facts)),
    usage: Object.fromEntries(known.map(({ take, facts }) => [take.key, facts])),
  }
}

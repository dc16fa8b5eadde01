import {
  type Actor,
  askPolicies,
  type CompiledPolicy,
  capabilityOf,
  countersFor,
  type Decision,
  joinAnswers,
  type MatchedRule,
  own,
  policiesFor,
  type Reason,
  shownReason,
  toolRef,
} from '@statewright/core'
import type { LiveRun } from '../runtime/live-runs.ts'
import type { RuntimeParts } from '../runtime/parts.ts'
import type { CallScope } from '../runtime/policies.ts'
import { type UsedOf, usedOf } from '../runtime/used-of.ts'

/** What one policy says of a capability, and by which rule. */
export interface ExplainedPolicy {
  readonly policy: string
  readonly decision: Decision['kind']
  /** Null when no rule matched and the default spoke. */
  readonly rule: MatchedRule | null
  readonly usage: readonly UsedOf[]
  readonly reasons: readonly Reason[]
}

export interface ExplainedPolicies {
  readonly capability: string
  readonly role: string
  readonly decision: Decision['kind']
  readonly reasons: readonly Reason[]
  readonly policies: readonly ExplainedPolicy[]
}

export interface PolicyQuestion {
  readonly capability?: string
  readonly tool?: string
  readonly server?: string
  readonly branch?: string
}

/** Whose calls are meant, and in which run. */
export interface PolicySubject {
  readonly scope: CallScope
  readonly by: Actor
  readonly live: LiveRun | undefined
}

/**
 * What all policies that hold for a call say of it. The same policies are asked, in the same way,
 * as by a decision; it counts nothing and opens nothing.
 */
export async function explainPolicies(
  runtime: RuntimeParts,
  question: PolicyQuestion,
  { scope, by, live }: PolicySubject,
): Promise<ExplainedPolicies> {
  const { tool = '', server, branch } = question
  const capability = question.capability ?? capabilityOf(toolRef(tool, server))
  const attached = (await runtime.policies.heldFor(scope)).map(({ compiled }) => compiled)
  const ofRun = live === undefined ? [] : policiesFor(live.program, live.snapshot, by, branch)
  const policies: readonly CompiledPolicy[] = [...ofRun, ...attached]
  const strict = live?.snapshot.settings.strict ?? runtime.settings.strict
  const takes = policies.flatMap((policy) => countersFor(policy, capability))
  const at = runtime.clock.now()
  const { role } = scope
  const usage = await runtime.store.counters.usage(takes, { role, at, capability })
  const words = askPolicies(policies, capability, usage, { strict })
  const explained = words.map(({ policy, answer }): ExplainedPolicy => {
    const counters = countersFor(policy, capability)
    return {
      policy: policy.name,
      decision: answer.kind,
      rule: answer.matched ?? null,
      usage: counters.flatMap((take) => {
        const facts = own(usage, take.key)
        return facts === undefined ? [] : [usedOf(take, facts)]
      }),
      reasons: answer.reasons.map(shownReason),
    }
  })
  const { kind, reasons } = joinAnswers(words.map(({ answer }) => answer))
  const shown = reasons.map(shownReason)
  return { capability, role, decision: kind, reasons: shown, policies: explained }
}

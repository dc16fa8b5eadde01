import {
  type CompiledPolicy,
  capabilityOf,
  countersFor,
  type Decision,
  evaluatePolicy,
  joinAnswers,
  type MatchedRule,
  own,
  type Reason,
  toolRef,
} from '@statewright/core'
import type { LiveRun } from '../runtime/live-runs.ts'
import type { RuntimeParts } from '../runtime/parts.ts'
import type { CallScope } from '../runtime/policies.ts'
import { type UsedOf, usedOf } from '../runtime/used-of.ts'

/** What one policy says of a capability, and by which rule. */
export interface PolicyWord {
  readonly policy: string
  readonly decision: Decision['kind']
  /** Null when no rule matched and the default spoke. */
  readonly rule: MatchedRule | null
  readonly usage: readonly UsedOf[]
  readonly reasons: readonly Reason[]
}

export interface PolicyExplained {
  readonly capability: string
  readonly role: string
  readonly decision: Decision['kind']
  readonly reasons: readonly Reason[]
  readonly policies: readonly PolicyWord[]
}

export interface PolicyQuestion {
  readonly capability?: string
  readonly tool?: string
  readonly server?: string
}

/** What all policies that hold somewhere say of a call. It counts nothing and opens nothing. */
export async function explainPolicies(
  parts: RuntimeParts,
  question: PolicyQuestion,
  scope: CallScope,
  live: LiveRun | undefined,
): Promise<PolicyExplained> {
  const { tool = '', server } = question
  const capability = question.capability ?? capabilityOf(toolRef(tool, server))
  const attached = (await parts.policies.heldFor(scope)).map(({ compiled }) => compiled)
  const strict = live?.snapshot.settings.strict ?? parts.settings.strict
  const asked = [...ownPolicies(live), ...attached]
  const takes = asked.flatMap((policy) => countersFor(policy, capability))
  const at = parts.clock.now()
  const { role } = scope
  const usage = await parts.store.counters.usage(takes, { role, at, capability })
  const answers = asked.map((policy) => {
    return { policy, answer: evaluatePolicy(policy, capability, usage, { strict }) }
  })
  const policies = answers.map(({ policy, answer }): PolicyWord => {
    const counters = countersFor(policy, capability)
    return {
      policy: policy.name,
      decision: answer.kind,
      rule: answer.matched ?? null,
      usage: counters.flatMap((take) => {
        const facts = own(usage, take.key)
        return facts === undefined ? [] : [usedOf(take, facts)]
      }),
      reasons: answer.reasons,
    }
  })
  const joined = joinAnswers(answers.map(({ answer }) => answer))
  return { capability, role, decision: joined.kind, reasons: joined.reasons, policies }
}

/** The policies of a run's definition and of those that it stands in. */
function ownPolicies(live: LiveRun | undefined): CompiledPolicy[] {
  if (live === undefined) return []
  const { snapshot, program } = live
  const names = new Set(snapshot.main.frames.map(({ machine }) => machine))
  return [...names].flatMap((name) => program.machines.get(name)?.policy ?? [])
}

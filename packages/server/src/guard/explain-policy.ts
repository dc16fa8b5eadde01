import {
  capabilityOf,
  type Decision,
  joinAnswers,
  type MatchedRule,
  type Reason,
  shownReason,
  toolRef,
} from '@statewright/core'
import type { RuntimeParts } from '../runtime/parts.ts'
import type { UsedOf } from '../runtime/used-of.ts'
import { askAllPolicies, type PolicyQuestion } from './ask-policies.ts'

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

/** A call by its capability, or by its tool. */
export interface ExplainedCall {
  readonly capability?: string
  readonly tool?: string
  readonly server?: string
  readonly branch?: string
}

/** Whose calls are meant, and in which run. */
export type PolicySubject = Pick<PolicyQuestion, 'scope' | 'by' | 'live'>

/**
 * What all policies that hold for a call say of it. The same policies are asked, in the same way,
 * as by a decision; it counts nothing and opens nothing.
 */
export async function explainPolicies(
  runtime: RuntimeParts,
  call: ExplainedCall,
  subject: PolicySubject,
): Promise<ExplainedPolicies> {
  const { tool = '', server, branch } = call
  const capability = call.capability ?? capabilityOf(toolRef(tool, server))
  const question = { ...subject, capability, branch, at: runtime.clock.now() }
  const { defined, attached } = await askAllPolicies(
    runtime,
    await runtime.policies.current(),
    question,
  )
  const words = [...defined, ...attached]
  const policies = words.map(({ policy, answer, used }): ExplainedPolicy => {
    return {
      policy: policy.name,
      decision: answer.kind,
      rule: answer.matched ?? null,
      usage: used,
      reasons: answer.reasons.map(shownReason),
    }
  })
  const { kind, reasons } = joinAnswers(words.map(({ answer }) => answer))
  const { role } = subject.scope
  return { capability, role, decision: kind, reasons: reasons.map(shownReason), policies }
}

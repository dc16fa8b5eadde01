import {
  type Decision,
  joinAnswers,
  type MatchedRule,
  type Reason,
  shownReason,
} from '@statewright/core/internal'
import type { UsedOf } from '../base/used-of.ts'
import type { PolicySet } from '../runtime/policies.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { askAllPolicies, type PolicyCall, type PolicyQuestion, policyCall } from './ask-policies.ts'
import { describedCall } from './described-call.ts'
import { workspaceFacts } from './workspace-facts.ts'

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
  /** What the tool would be given: an edit is judged by what it does. */
  readonly input?: unknown
  readonly branch?: string
}

/** Whose calls are meant, and in which run. */
export type PolicySubject = Pick<PolicyQuestion, 'scope' | 'by' | 'live'>

/**
 * What all policies that hold for a call say of it. The same policies are asked, in the same way,
 * as by a decision; it counts nothing and opens nothing.
 */
export async function explainPolicies(
  runtime: Runtime,
  call: ExplainedCall,
  subject: PolicySubject,
): Promise<ExplainedPolicies> {
  const { branch } = call
  const set = await runtime.policies.current()
  const explained = await callToExplain(runtime, set, call, subject)
  const { capability } = explained
  const question = { ...subject, call: explained, branch, at: runtime.clock.now() }
  const { defined, attached } = await askAllPolicies(runtime, set, question)
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

async function callToExplain(
  runtime: Runtime,
  set: PolicySet,
  { capability, tool = '', server, input = {} }: ExplainedCall,
  { live, scope }: PolicySubject,
): Promise<PolicyCall> {
  if (capability !== undefined) {
    return { capability, capabilities: { needed: [capability], touched: [] }, isFree: false }
  }
  const raw = { id: '', tool, input, ...(server === undefined ? {} : { server }) }
  const around = workspaceFacts(runtime.settings, live?.row.workspace ?? '/')
  const readers = { program: live?.program, set, scope }
  return policyCall((await describedCall(runtime, readers, raw, around)).call)
}

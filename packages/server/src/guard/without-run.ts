import {
  capabilityOf,
  type ExternalAnswer,
  phrase,
  type Reason,
  type ReasonFacts,
  shownReason,
  toolRef,
} from '@statewright/core'
import { actorOf, type Caller } from '../runtime/caller.ts'
import type { RuntimeParts } from '../runtime/parts.ts'
import { policyFactsOf } from './attached-policies.ts'
import { type CallRequest, projectsOf } from './call-request.ts'

/**
 * What speaks against a call where no run judges: the policies of role and project still hold. A
 * rule that asks or counts needs a run to do so, and what cannot be asked or counted is denied
 * (invariant 1).
 */
export async function judgeWithoutRun(
  runtime: RuntimeParts,
  caller: Caller,
  request: CallRequest,
): Promise<readonly Reason[]> {
  if (request.toUs === true) return []
  const reasons: ReasonFacts[] = []
  if (runtime.settings.strict) {
    const message = phrase('no_run_strict', { tool: request.tool })
    reasons.push({ code: 'no_active_run', message, path: '' })
  }
  const at = runtime.clock.now()
  const capability = capabilityOf(toolRef(request.tool, request.server))
  const scope = { role: caller.role, projects: projectsOf(runtime.settings, request) }
  const question = { capability, scope, at, by: actorOf(caller), live: undefined }
  const { answers } = await policyFactsOf(runtime, await runtime.policies.current(), question)
  for (const answer of answers) {
    if (answer.kind === 'deny') reasons.push(...answer.reasons)
    else reasons.push(needsRun(answer, capability))
  }
  return reasons.map(shownReason)
}

function needsRun({ source, kind, reasons }: ExternalAnswer, capability: string): ReasonFacts {
  const about = { source, capability }
  const message =
    kind === 'ask' ? phrase('run_needed_to_ask', about) : phrase('run_needed_to_count', about)
  return { code: 'no_active_run', message, path: reasons[0]?.path ?? '' }
}

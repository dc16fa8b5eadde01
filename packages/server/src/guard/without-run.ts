import {
  type ExternalAnswer,
  phrase,
  type Reason,
  type ReasonFacts,
  shownReason,
} from '@statewright/core/internal'
import { actorOf, type Caller } from '../base/caller.ts'
import { Looks } from '../base/looks.ts'
import type { Runtime } from '../runtime/runtime.ts'
import type { Adapter } from './adapter.ts'
import { policyCall } from './ask-policies.ts'
import { policyFactsOf } from './attached-policies.ts'
import { type CallRequest, projectsOf } from './call-request.ts'
import { describedCall } from './described-call.ts'
import { ownAnswers } from './protect/self-protection.ts'
import { workspaceFacts } from './workspace-facts.ts'

/**
 * What speaks against a call where no run judges: nobody may reach for the guard, and the policies
 * of role and project still hold. A rule that asks or counts needs a run to do so, and what cannot
 * be asked or counted is denied (invariant 1).
 */
export async function judgeWithoutRun(
  runtime: Runtime,
  { runs }: Pick<Adapter, 'runs'>,
  caller: Caller,
  request: CallRequest,
): Promise<readonly Reason[]> {
  if (request.toUs === true) return []
  const root = request.workspace ?? '/'
  const raw = { id: '', tool: request.tool, input: request.input }
  const named = request.server === undefined ? raw : { ...raw, server: request.server }
  const looks = new Looks()
  const workspace = workspaceFacts(runtime.settings, root, request.cwd, looks)
  const scope = { role: caller.role, projects: projectsOf(runtime.settings, request) }
  const set = await runtime.policies.current()
  const readers = { program: undefined, set, scope }
  const { call: described } = await describedCall(runtime, readers, named, workspace)
  const call = policyCall(described)
  const reasons: ReasonFacts[] = [...(request.refusal?.reasons ?? [])]
  for (const answer of ownAnswers(runtime, request, described, { root, looks })) {
    if (answer.kind === 'deny') reasons.push(...answer.reasons)
    // A client asks its person by its own prompts; what we run ourselves has none.
    else if (runs === 'itself') reasons.push(needsRun(answer, call.capability))
  }
  if (runtime.settings.strict) {
    const message = phrase('no_run_strict', { tool: request.tool })
    reasons.push({ code: 'no_active_run', message, path: '' })
  }
  const at = runtime.clock.now()
  const question = { call, scope, at, by: actorOf(caller), live: undefined }
  const { answers } = await policyFactsOf(runtime, set, question)
  for (const answer of answers) {
    if (answer.kind === 'deny') reasons.push(...answer.reasons)
    else reasons.push(needsRun(answer, call.capability))
  }
  return reasons.map(shownReason)
}

function needsRun({ source, kind, reasons }: ExternalAnswer, capability: string): ReasonFacts {
  const about = { source, capability }
  const message =
    kind === 'ask' ? phrase('run_needed_to_ask', about) : phrase('run_needed_to_count', about)
  return { code: 'no_active_run', message, path: reasons[0]?.path ?? '' }
}

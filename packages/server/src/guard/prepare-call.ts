import { resolve } from 'node:path'
import {
  type ExternalAnswer,
  limits,
  machineOfCaller,
  type RunEvent,
  shellInput,
  stateOfCaller,
  type ToolCall,
} from '@statewright/core/internal'
import { actorOf, type Caller } from '../base/caller.ts'
import { Looks } from '../base/looks.ts'
import { redactEvent, redactInput } from '../base/redact.ts'
import { blockOfToken } from '../runtime/blocks/blocked.ts'
import { unjudgedBlock } from '../runtime/blocks/unjudged.ts'
import type { PreparedEvent } from '../runtime/dispatch.ts'
import { evidenceDigests } from '../runtime/evidence-facts.ts'
import type { LiveRun } from '../runtime/live-runs.ts'
import type { PolicySet } from '../runtime/policies.ts'
import type { Runtime } from '../runtime/runtime.ts'
import type { CallFacts } from './adapter.ts'
import { policyCall } from './ask-policies.ts'
import { policyFactsOf } from './attached-policies.ts'
import { type CallRequest, projectsOf } from './call-request.ts'
import { describedCall } from './described-call.ts'
import { scriptDigest } from './protect/script-digest.ts'
import { ownAnswers } from './protect/self-protection.ts'
import { workspaceFacts } from './workspace-facts.ts'

export interface NamedCall extends CallRequest {
  readonly callId: string
}

type ToolRequested = Extract<RunEvent, { type: 'tool_requested' }>

/**
 * The event that asks a run about a call, with every fact that the decision needs: what the call
 * would do, what other judges say of it, what is left of rates and budgets, who would run it. It is
 * made again for each try to commit.
 */
export async function prepareCall(
  runtime: Runtime,
  caller: Caller,
  request: NamedCall,
  facts: CallFacts,
  live: LiveRun,
): Promise<PreparedEvent<ToolRequested>> {
  const at = runtime.clock.now()
  const root = live.row.workspace ?? request.workspace ?? '/'
  const looks = new Looks()
  const set = await knownRules(runtime)
  const scope = { role: caller.role, projects: projectsOf(runtime.settings, request, live) }
  const { call: described, needs } = await describedCall(
    runtime,
    { program: live.program, set, scope },
    rawCall(runtime, request, facts),
    workspaceFacts(runtime.settings, root, request.cwd, looks),
  )
  const results = facts.results === 'observed' ? facts.results : undefined
  const call = policyCall(described, results)
  const { branch } = request
  const by = actorOf(caller)
  const policyFacts = await policyFactsOf(runtime, set, { call, scope, by, at, live, branch })
  const refusals = request.refusal === undefined ? [] : [request.refusal]
  const own = [...ownAnswers(runtime, request, described, { root, looks }), ...refusals]
  const needsApproval = policyFacts.asking.size > 0 || own.some(({ kind }) => kind === 'ask')
  const judged = needsApproval ? withScripts(described, request, root) : described
  const external = [...own, ...(await otherAnswers(runtime, caller, live)), ...policyFacts.answers]
  const digests = evidenceDigests(live, by, branch)
  const event: ToolRequested = {
    type: 'tool_requested',
    at,
    by,
    call: judged,
    approvalId: runtime.clock.newId('apr'),
    approvalExpiresAt: at + runtime.settings.askTimeoutMs,
    ...(facts.startsCommands || isShellCall(judged) ? { runner: facts.runner } : {}),
    ...askingState(live, caller, request),
    ...(needsApproval || judged.shell !== undefined ? { asker: by.id } : {}),
    ...(runtime.settings.mode === 'observe' ? { mode: 'observe' } : {}),
    ...(results === undefined ? {} : { results }),
    ...(branch === undefined ? {} : { branch }),
    ...(needs.caller ? { role: caller.role } : {}),
    ...(policyFacts.usage === undefined ? {} : { usage: policyFacts.usage }),
    ...(digests === undefined ? {} : { digests }),
    ...(external.length === 0 ? {} : { external }),
  }
  const input = redactInput(request.input)
  return {
    event: redactEvent(event),
    extras: {
      role: caller.role,
      asker: caller,
      blobs: [{ hash: judged.argsHash, callId: judged.id, what: 'input', text: input }],
      asking: policyFacts.asking,
      policyEpoch: policyFacts.epoch,
      approvalDetails: shownInput(input),
    },
  }
}

/**
 * The policies, by the number of the oldest thing that judges here: where the configuration is
 * older than they are the commit fails, and the call is prepared again.
 */
async function knownRules({ rules, policies }: Runtime): Promise<PolicySet> {
  // Before anything is read that it speaks of.
  const { version } = rules
  const set = await policies.known()
  return version === undefined || version >= set.epoch ? set : { ...set, epoch: version }
}

/** Anyone who is asked sees all of it; what is longer than any command says so (PO-7d). */
function shownInput(input: string) {
  const more = input.length - limits.approvalInputLength
  if (more <= 0) return { input }
  return { input: input.slice(0, limits.approvalInputLength), input_more: more }
}

/** The state that judges the caller, as no other of the run is called. */
function askingState({ program, snapshot }: LiveRun, caller: Caller, { branch }: NamedCall) {
  const by = actorOf(caller)
  const state = stateOfCaller(program, snapshot, by, branch)
  if (state === null) return {}
  return { place: `${machineOfCaller(program, snapshot, by, branch).id}/${state.name}` }
}

function isShellCall({ shell, unreadable, edits }: ToolCall): boolean {
  return shell !== undefined || (unreadable !== undefined && edits === undefined)
}

/** Reading through a shell is let through as the configuration says, at every way in (SH-10). */
function rawCall({ settings }: Runtime, request: NamedCall, { readsByShell }: CallFacts) {
  const { readOnlyShell } = settings
  const isKnown = readOnlyShell === 'auto' && readsByShell
  return {
    id: request.callId,
    tool: request.tool,
    input: request.input,
    ...(request.server === undefined ? {} : { server: request.server }),
    ...(request.listed === undefined ? {} : { listed: request.listed }),
    ...(request.writes === undefined ? {} : { writes: request.writes }),
    ...(request.toUs === true ? { toUs: true } : {}),
    ...(readOnlyShell === 'on' || isKnown ? { readsByShell: true } : {}),
  }
}

/** An approval is bound to the scripts that a command would run as well (PO-7b). */
function withScripts(call: ToolCall, { input, cwd }: NamedCall, root: string): ToolCall {
  if (call.shell === undefined) return call
  const folder = resolve(root, cwd ?? '', shellInput(input)?.cwd ?? '')
  return { ...call, scripts: scriptDigest(call.shell, folder) }
}

/** What speaks against any call of this caller. */
async function otherAnswers(
  runtime: Runtime,
  caller: Caller,
  live: LiveRun,
): Promise<readonly ExternalAnswer[]> {
  const answers = [
    await blockOfToken(runtime, caller, live.row),
    await unjudgedBlock(runtime, live.row),
  ]
  return answers.filter((answer) => answer !== null)
}

import { resolve } from 'node:path'
import {
  describeCall,
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
import { blockOfToken } from '../runtime/blocked.ts'
import type { Prepared } from '../runtime/dispatch.ts'
import { evidenceDigests } from '../runtime/evidence-facts.ts'
import type { LiveRun } from '../runtime/live-runs.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { unjudgedBlock } from '../runtime/unjudged.ts'
import type { CallFacts } from './adapter.ts'
import { type AskedCall, askedCall } from './ask-policies.ts'
import { type PolicyFacts, policyFactsOf } from './attached-policies.ts'
import { type CallRequest, projectsOf } from './call-request.ts'
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
 * made anew for each try to commit.
 */
export async function prepareCall(
  runtime: Runtime,
  caller: Caller,
  request: NamedCall,
  facts: CallFacts,
  live: LiveRun,
): Promise<Prepared<ToolRequested>> {
  const at = runtime.clock.now()
  const root = live.row.workspace ?? request.workspace ?? '/'
  const looks = new Looks()
  const described = describeCall(
    rawCall(runtime, request, facts),
    workspaceFacts(runtime.settings, root, request.cwd, looks),
  )
  const call = askedCall(described, facts.results === 'observed' ? facts.results : undefined)
  const policies = await policyFacts(runtime, caller, request, live, { call, at })
  const own = [
    ...ownAnswers(runtime, request, described, { root, looks }),
    ...(request.refusal === undefined ? [] : [request.refusal]),
  ]
  const isAsked = policies.asking.size > 0 || own.some(({ kind }) => kind === 'ask')
  const judged = isAsked ? withScripts(described, request, root) : described
  const external = [...own, ...(await otherAnswers(runtime, caller, live)), ...policies.answers]
  const digests = evidenceDigests(live, actorOf(caller), request.branch)
  const { usage, asking } = policies
  const event: ToolRequested = {
    type: 'tool_requested',
    at,
    by: actorOf(caller),
    call: judged,
    approvalId: runtime.clock.newId('apr'),
    approvalExpiresAt: at + runtime.settings.askTimeoutMs,
    ...(facts.startsCommands || isShellCall(judged) ? { runner: facts.runner } : {}),
    ...askingState(live, caller, request),
    ...(isAsked || judged.shell !== undefined ? { asker: actorOf(caller).id } : {}),
    ...(runtime.settings.mode === 'observe' ? { mode: 'observe' } : {}),
    ...(facts.results === 'observed' ? { results: facts.results } : {}),
    ...(request.branch === undefined ? {} : { branch: request.branch }),
    ...(usage === undefined ? {} : { usage }),
    ...(digests === undefined ? {} : { digests }),
    ...(external.length === 0 ? {} : { external }),
  }
  const input = redactInput(request.input)
  return {
    event: redactEvent(event),
    baggage: {
      role: caller.role,
      asker: caller,
      blobs: [{ hash: judged.argsHash, callId: judged.id, what: 'input', text: input }],
      asking,
      policyEpoch: policies.epoch,
      approvalDetails: shownInput(input),
    },
  }
}

/** Whoever is asked sees all of it; what is longer than any command says so (PO-7d). */
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

async function policyFacts(
  runtime: Runtime,
  caller: Caller,
  request: NamedCall,
  live: LiveRun,
  { call, at }: { readonly call: AskedCall; readonly at: number },
): Promise<PolicyFacts> {
  const scope = { role: caller.role, projects: projectsOf(runtime.settings, request, live) }
  const by = actorOf(caller)
  const { branch } = request
  const set = await runtime.policies.known()
  return policyFactsOf(runtime, set, { call, scope, by, at, live, branch })
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
    await unjudgedBlock(runtime, live.row.runId),
  ]
  return answers.filter((answer) => answer !== null)
}

import {
  type Code,
  capabilityOf,
  type Decision,
  describeCall,
  type ExternalAnswer,
  type Reason,
  type ToolCall,
  toolRef,
} from '@statewright/core'
import { blockOfToken } from './blocked.ts'
import { actorOf, type Caller } from './caller.ts'
import { dispatch, type Prepared } from './dispatch.ts'
import { evidenceDigests } from './evidence-facts.ts'
import { activeOfSession, findRun, type RunRef } from './find-run.ts'
import { hearPolicies } from './hear-policies.ts'
import type { LiveRun } from './live-runs.ts'
import type { RuntimeParts } from './parts.ts'
import { redactEvent, redactInput } from './redact.ts'
import { scriptDigest } from './script-digest.ts'
import { protectSelf } from './self-protection.ts'
import { demandSandbox } from './shell-place.ts'
import { startRun } from './start-run.ts'
import { unjudgedBlock } from './unjudged.ts'
import { workspaceFacts } from './workspace-facts.ts'

export interface CheckRequest extends RunRef {
  readonly tool: string
  readonly server?: string
  readonly input: unknown
  readonly callId?: string
  readonly branch?: string
  /** It goes to our own MCP server. */
  readonly toUs?: boolean
  /** The client has no reading tools of its own (SH-10). */
  readonly readsByShell?: boolean
  readonly project?: string
  readonly workspace?: string
  /** Where the client would run it; a command elsewhere than at the root proves nothing. */
  readonly cwd?: string
}

/** What a door tells of a decision. */
export interface CheckAnswer {
  readonly decision: Decision['kind']
  readonly code?: Code
  readonly message?: string
  readonly reasons: readonly Reason[]
  readonly approvalId?: string
  readonly allowedTools: readonly string[] | null
  readonly events: Decision['events']
  readonly way?: Decision['way']
  readonly runId: string | null
  readonly callId: string
  readonly notices: readonly string[]
  /** In observe mode: what would have been decided. */
  readonly would?: Decision['kind']
}

/** Judges a tool call. Whatever fails in here is a denial at the door (invariant 1). */
export async function checkCall(
  parts: RuntimeParts,
  caller: Caller,
  request: CheckRequest,
): Promise<CheckAnswer> {
  const callId = request.callId ?? parts.clock.newId('call')
  const live = await runFor(parts, caller, request)
  if (live === undefined) return withoutRun(parts, caller, request, callId)
  const done = await dispatch(parts, live.row.runId, (current) =>
    prepareCall(parts, caller, { ...request, callId }, current),
  )
  if (done === undefined || done.step.answer.type !== 'decided') {
    throw new Error('bug: a tool call was not decided')
  }
  const { decision, notices } = done.step.answer
  return observed(parts, toAnswer(decision, live.row.runId, callId, notices))
}

/** The run that judges the call: the one named, the session's, or one the configuration starts. */
async function runFor(
  parts: RuntimeParts,
  caller: Caller,
  request: CheckRequest,
): Promise<LiveRun | undefined> {
  if (request.run !== undefined) {
    const found = await findRun(parts, caller, request)
    if (!found.ok) throw new RunNotFound(found.error.message)
    return found.value
  }
  if (request.session === undefined) return undefined
  const active = await activeOfSession(parts, caller, request.session)
  if (active !== undefined || parts.settings.autostart !== 'session') return active
  return autostart(parts, caller, request)
}

/** A run that was named does not exist for this caller. */
export class RunNotFound extends Error {}

/** Starts the configured workflow for a session that has no run and never had one. */
export async function autostart(
  parts: RuntimeParts,
  caller: Caller,
  request: Pick<CheckRequest, 'session' | 'project' | 'workspace'>,
): Promise<LiveRun | undefined> {
  const { workflow } = parts.settings
  const { session, project, workspace } = request
  if (workflow === null || session === undefined) return undefined
  if (await parts.sessions.hadRun(caller, session)) return undefined
  const started = await startRun(parts, caller, {
    workflow,
    session,
    byConfig: true,
    ...(project === undefined ? {} : { project }),
    ...(workspace === undefined ? {} : { workspace }),
  })
  if (!started.ok) throw new Error(`the configured workflow cannot start: ${started.error.message}`)
  return started.value.live
}

/**
 * Where no run judges, the policies of role and project still hold. A rule that asks or counts
 * needs a run to do so, and what cannot be asked or counted is denied (invariant 1).
 */
async function withoutRun(
  parts: RuntimeParts,
  caller: Caller,
  request: CheckRequest,
  callId: string,
): Promise<CheckAnswer> {
  const base = { reasons: [], allowedTools: null, events: [], runId: null, callId, notices: [] }
  const reasons = request.toUs === true ? [] : await reasonsWithoutRun(parts, caller, request)
  const [top] = reasons
  if (top === undefined) return { ...base, decision: 'allow' }
  const { code, message } = top
  return observed(parts, { ...base, decision: 'deny', code, message, reasons })
}

async function reasonsWithoutRun(
  parts: RuntimeParts,
  caller: Caller,
  request: CheckRequest,
): Promise<Reason[]> {
  const reasons: Reason[] = []
  if (parts.settings.strict) {
    const message = `No run is active, and in strict mode that means no tools: ${request.tool}.`
    reasons.push({ code: 'no_active_run', message, path: '' })
  }
  const at = parts.clock.now()
  const capability = capabilityOf(toolRef(request.tool, request.server))
  const scope = { role: caller.role, projects: placesOf(request) }
  const { answers } = await hearPolicies(parts, undefined, scope, { capability, at })
  for (const answer of answers) {
    if (answer.kind === 'deny') reasons.push(...answer.reasons)
    else reasons.push(needsRun(answer, capability))
  }
  return reasons
}

function needsRun({ source, kind, reasons }: ExternalAnswer, capability: string): Reason {
  const does = kind === 'ask' ? 'asks a person about' : 'counts'
  const message = `${source} ${does} calls of ${capability}, which needs an active run: start one.`
  return { code: 'no_active_run', message, path: reasons[0]?.path ?? '' }
}

export async function prepareCall(
  parts: RuntimeParts,
  caller: Caller,
  request: CheckRequest & { readonly callId: string },
  live: LiveRun,
): Promise<Prepared> {
  const at = parts.clock.now()
  const root = live.row.workspace ?? request.workspace ?? '/'
  const described = describeCall(rawCall(parts, request), workspaceFacts(root, request.cwd))
  const scope = { role: caller.role, projects: placesOf(request, live) }
  const capability = capabilityOf(toolRef(described.tool, described.server))
  const heard = await hearPolicies(parts, live, scope, { capability, at })
  const { usage, answers, asking } = heard
  const { shell } = described
  const call: ToolCall =
    shell === undefined || asking.size === 0
      ? described
      : { ...described, scripts: scriptDigest(shell, root, request.cwd) }
  const digests = evidenceDigests(live, actorOf(caller), request.branch)
  const { input: asked, cwd, branch } = request
  const protection = protectSelf(parts.settings, {
    input: asked,
    call,
    root,
    cwd,
    ownPorts: parts.ownPorts,
  })
  const shellCaller = { caller, branch, startedBy: 'client' } as const
  const cage = demandSandbox(parts.settings, live, shellCaller, call)
  const block = await blockOfToken(parts, caller, live.row)
  const unjudged = await unjudgedBlock(parts, live.row.runId)
  const external = [...protection, cage, block, unjudged, ...answers].filter(
    (answer) => answer !== null,
  )
  const event = redactEvent({
    type: 'tool_requested',
    at,
    by: actorOf(caller),
    call,
    approvalId: parts.clock.newId('apr'),
    approvalExpiresAt: at + parts.settings.askTimeoutMs,
    ...(request.branch === undefined ? {} : { branch: request.branch }),
    ...(usage === undefined ? {} : { usage }),
    ...(digests === undefined ? {} : { digests }),
    ...(external.length === 0 ? {} : { external }),
  })
  const input = redactInput(request.input)
  return {
    event,
    baggage: {
      role: caller.role,
      blobs: [{ hash: call.argsHash, callId: call.id, what: 'input', text: input }],
      asking,
      approvalDetails: { input: input.length > 20_000 ? `${input.slice(0, 20_000)}…` : input },
    },
  }
}

/** At every door: reading through a shell is let through as the configuration says (SH-10). */
function rawCall(
  { settings: { readOnlyShell } }: RuntimeParts,
  request: CheckRequest & { readonly callId: string },
) {
  const isKnown = readOnlyShell === 'auto' && request.readsByShell === true
  return {
    id: request.callId,
    tool: request.tool,
    input: request.input,
    ...(request.server === undefined ? {} : { server: request.server }),
    ...(request.toUs === true ? { toUs: true } : {}),
    ...(readOnlyShell === 'on' || isKnown ? { readsByShell: true } : {}),
  }
}

/** Everything by which the project of a call is known: what the run says and what the call says. */
function placesOf(request: CheckRequest, live?: LiveRun): string[] {
  const { project, workspace } = live?.row ?? {}
  const places = [project, workspace, request.project, request.workspace]
  return [...new Set(places.filter((place) => typeof place === 'string'))]
}

export function toAnswer(
  decision: Decision,
  runId: string,
  callId: string,
  notices: readonly string[],
): CheckAnswer {
  const { kind, code, message, reasons, allowedTools, events, way, approvalId } = decision
  return {
    decision: kind,
    ...(code === undefined ? {} : { code }),
    ...(message === undefined ? {} : { message }),
    reasons,
    ...(approvalId === undefined ? {} : { approvalId }),
    allowedTools,
    events,
    ...(way === undefined ? {} : { way }),
    runId,
    callId,
    notices,
  }
}

/** Observe mode records what would be denied, and lets it pass. */
function observed(parts: RuntimeParts, answer: CheckAnswer): CheckAnswer {
  if (parts.settings.mode !== 'observe' || answer.decision === 'allow') return answer
  return { ...answer, decision: 'allow', would: answer.decision }
}

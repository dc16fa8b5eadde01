import {
  asItIs,
  type Decision,
  ok,
  type Result,
  type RunPlan,
  type ShellFindings,
} from '@statewright/core/internal'
import { actorOf, type Caller } from '../base/caller.ts'
import type { RuntimeProblem } from '../base/problem.ts'
import { dispatchCall } from '../runtime/dispatch.ts'
import type { LiveRun } from '../runtime/live-runs.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { type Adapter, factsOf } from './adapter.ts'
import type { CallRequest } from './call-request.ts'
import type { Denial } from './denial.ts'
import type { Guard } from './guard.ts'
import { type NamedCall, prepareCall } from './prepare-call.ts'
import { autostart, endedRun, whichRun } from './which-run.ts'
import { judgeWithoutRun } from './without-run.ts'

/** What was decided of a call, durable by now. */
export type JudgedCall = AllowedCall | DeniedCall

export type DeniedCall = Denial & { readonly workspace: string | null }

export interface AllowedCall {
  readonly decision: 'allow'
  readonly plan: RunPlan
  readonly runId: string | null
  readonly callId: string
  readonly notices: readonly string[]
  readonly allowedTools: readonly string[] | null
  /** The folder that the run works in, where it has one. */
  readonly workspace: string | null
  /** In observe mode: what would have been decided, and why. */
  readonly would?: Denial
}

/** Judges a tool call and writes the decision down. Whatever is thrown in here denies. */
export async function judgeCall(
  guard: Guard,
  adapter: Adapter,
  caller: Caller,
  request: CallRequest,
): Promise<Result<JudgedCall, RuntimeProblem>> {
  const { runtime, sandbox } = guard
  const callId = request.callId ?? runtime.clock.newId('call')
  const found = await runFor(runtime, caller, request)
  if (!found.ok) return found
  const live = found.value
  if (live === undefined)
    return ok(await withoutRun(runtime, adapter, caller, { ...request, callId }))
  const named = { ...request, callId }
  const facts = factsOf(adapter, runtime.settings, sandbox)
  let shell: ShellFindings | undefined
  let argsHash = ''
  const done = await dispatchCall(runtime, live.row.runId, async (current) => {
    const prepared = await prepareCall(runtime, caller, named, facts, current)
    shell = prepared.event.call.shell
    argsHash = prepared.event.call.argsHash
    return prepared
  })
  if (done === undefined || done.step.answer.type !== 'decided') {
    throw new Error('bug: a tool call was not decided')
  }
  const { decision, notices } = done.step.answer
  const isLet = decision.kind === 'allow' || decision.passes === true
  if (isLet && shell !== undefined) {
    runtime.changes.begin(done.live, { callId, by: actorOf(caller), branch: request.branch, shell })
  }
  const { runId, workspace } = live.row
  const judged = judgedCall(decision, { runId, callId, workspace, notices })
  const words = [...(await guard.words.news(runtime, live.snapshot.resolved))]
  if (decision.code === 'approval_rejected') {
    words.push(...(await whyRejected(runtime, done.live, argsHash)))
  }
  const reported = words.length === 0 ? judged : withWords(judged, words)
  return ok(decision.passes === true ? passed(reported) : reported)
}

/** What the person wrote who rejected the same call before: without it the agent asks in vain. */
async function whyRejected(
  { store }: Runtime,
  { snapshot }: LiveRun,
  argsHash: string,
): Promise<string[]> {
  const record = snapshot.asks.findLast(
    (one) => one.status === 'rejected' && one.argsHash.startsWith(argsHash),
  )
  const row = record === undefined ? undefined : await store.approvals.get(record.id)
  return row?.note == null || row.note === '' ? [] : [`They wrote: ${row.note}`]
}

/** Beside a result they are notices; of a denial the agent reads the message alone. */
function withWords(judged: JudgedCall, words: readonly string[]): JudgedCall {
  const notices = [...judged.notices, ...words]
  if (judged.decision === 'allow') return { ...judged, notices }
  return { ...judged, notices, message: [judged.message, ...words].join(' ') }
}

/** Without a session, all calls of a token are one session to the configuration. */
const tokensSession = 'mcp'

/**
 * The run that judges the call, be it the last one after its end. Where there never was one, the
 * configuration may start one.
 */
async function runFor(
  runtime: Runtime,
  caller: Caller,
  request: CallRequest,
): Promise<Result<LiveRun | undefined, RuntimeProblem>> {
  const found = await whichRun(runtime, caller, request)
  if (!found.ok || found.value !== undefined) return found
  const ended = await endedRun(runtime, caller, request)
  if (ended !== undefined) return ok(ended)
  if (runtime.settings.autostart !== 'session') return ok(undefined)
  return ok(await autostart(runtime, caller, { session: tokensSession, ...request }))
}

async function withoutRun(
  runtime: Runtime,
  adapter: Adapter,
  caller: Caller,
  { callId, ...request }: NamedCall,
): Promise<JudgedCall> {
  const reasons = await judgeWithoutRun(runtime, adapter, caller, request)
  const base = { runId: null, callId, workspace: null, notices: [], allowedTools: null }
  const [top] = reasons
  if (top === undefined) return { ...base, decision: 'allow', plan: asItIs }
  const { code, message } = top
  const denied = { ...base, decision: 'deny', code, message, reasons, events: [] } as const
  // What reaches for its guard never passes (WF-37).
  const isObserved = runtime.settings.mode === 'observe' && code !== 'self_protection'
  return isObserved ? passed(denied) : denied
}

interface CallNames {
  readonly runId: string
  readonly callId: string
  readonly workspace: string | null
  readonly notices: readonly string[]
}

export function judgedCall(decision: Decision, names: CallNames): JudgedCall {
  const { kind, code, message, reasons, allowedTools, events, way, approvalId, plan } = decision
  if (kind === 'allow') return { ...names, decision: kind, plan, allowedTools }
  return {
    ...names,
    decision: kind,
    code: code ?? 'internal',
    message: message ?? 'The call was denied.',
    reasons,
    allowedTools,
    events,
    ...(way === undefined ? {} : { way }),
    ...(approvalId === undefined ? {} : { approvalId }),
  }
}

/** Observe mode lets a call pass as it would without us, with what would have been decided. */
function passed(judged: JudgedCall): JudgedCall {
  if (judged.decision === 'allow') return judged
  const { runId, callId, workspace, notices, allowedTools } = judged
  return {
    decision: 'allow',
    plan: asItIs,
    runId,
    callId,
    workspace,
    notices,
    allowedTools,
    would: judged,
  }
}

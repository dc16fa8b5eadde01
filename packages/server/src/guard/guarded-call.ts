import { err, ok, type Result, type RunPlan } from '@statewright/core/internal'
import type { Caller } from '../base/caller.ts'
import type { ApprovalRow } from '../store/store.ts'
import type { Adapter } from './adapter.ts'
import type { CallRequest } from './call-request.ts'
import { type Denial, plainDenial } from './denial.ts'
import { type CallOutcome, finishCall, noticesOf } from './finish-call.ts'
import type { Guard } from './guard.ts'
import { type AllowedCall, judgeCall } from './judge-call.ts'
import { settlePlan } from './settle-plan.ts'
import { type WaitOptions, waitForVerdict } from './wait.ts'

export type { Adapter } from './adapter.ts'
export type { CallRequest } from './call-request.ts'
export type { AllowedCall, JudgedCall } from './judge-call.ts'
export { judgeModel } from './judge-model.ts'

/** A call that may run now, exactly as its plan says. */
export interface OpenCall {
  readonly runId: string | null
  readonly callId: string
  readonly caller: Caller
  readonly branch?: string | undefined
  readonly plan: RunPlan
  /** The folder that the run works in, where it has one. */
  readonly workspace: string | null
  /** What the agent should hear beside the result. */
  readonly notices: readonly string[]
  readonly allowedTools: readonly string[] | null
  /** In observe mode: what would have been decided. */
  readonly would?: Denial
  /**
   * Writes down what came of it; answers with what follows for the agent. A result that could not
   * be written down must not be told as if it were (invariant 2).
   */
  finish(outcome: CallOutcome): Promise<Result<readonly string[], 'not_recorded'>>
}

/** A call may be asked about by one rule after the other; this many, and no more. */
const maxAsks = 10
const patient: WaitOptions = { signal: new AbortController().signal }

/**
 * The guarded call: finds its run, judges it, waits for a person where one is asked and the way in
 * can wait, and gives back either a denial or the plan by which it may run. It never throws: what
 * fails on the way is a denial (invariant 1).
 */
export async function openCall(
  guard: Guard,
  adapter: Adapter,
  caller: Caller,
  request: CallRequest,
  waiting: WaitOptions = patient,
): Promise<Result<OpenCall, Denial>> {
  const startedAt = preciseNow()
  const judged = await judgeAndPlan(guard, adapter, caller, request, waiting)
  const { runId, callId } = judged.ok ? judged.value : judged.error
  const session = request.session ?? caller.session
  guard.onJudged({
    ...{ tool: request.tool, runId, callId, startedAt, endedAt: preciseNow() },
    ...(session === undefined ? {} : { session }),
    decision: judged.ok ? 'allow' : judged.error.decision,
    code: judged.ok ? null : judged.error.code,
  })
  return judged
}

function preciseNow(): number {
  return performance.timeOrigin + performance.now()
}

async function judgeAndPlan(
  guard: Guard,
  adapter: Adapter,
  caller: Caller,
  request: CallRequest,
  waiting: WaitOptions,
): Promise<Result<OpenCall, Denial>> {
  try {
    const judged = await judgeUntilAnswered(guard, adapter, caller, request, waiting)
    if (judged.decision !== 'allow') return err(judged)
    const plan = settlePlan(guard, adapter, judged)
    if (!plan.ok) return plan
    return ok(opened(guard, adapter, caller, request, { ...judged, plan: plan.value }))
  } catch (fault) {
    guard.onFault(fault)
    const names = { runId: request.run ?? null, callId: request.callId ?? '' }
    return err(plainDenial('internal', notJudged, names))
  }
}

const notJudged =
  'Statewright could not check this call, so it was denied. Try again; if this keeps ' +
  'happening, ask a person to check the server.'

async function judgeUntilAnswered(
  guard: Guard,
  adapter: Adapter,
  caller: Caller,
  request: CallRequest,
  waiting: WaitOptions,
): Promise<AllowedCall | Denial> {
  const { runtime, waiters } = guard
  const { waitsMs: maxMs, maxWaiting } = adapter
  let last: AllowedCall | Denial | undefined
  for (let ask = 0; ask < maxAsks; ask++) {
    // Rules may have changed on other nodes while a person was thinking.
    if (ask > 0) await runtime.rules.confirm()
    const judged = await judgeCall(guard, adapter, caller, request)
    if (!judged.ok) return plainDenial(judged.error.code, judged.error.message, request)
    last = judged.value
    if (last.decision !== 'ask' || last.approvalId === undefined || maxMs === 0) return last
    const { approvalId } = last
    const end = await waitForVerdict(runtime, waiters, approvalId, { maxMs, maxWaiting }, waiting)
    if (end.kind === 'too_long' || end.kind === 'cancelled') return last
    const turnedDown = end.kind === 'withdrawn' ? 'withdrawn' : verdictAgainst(end.row)
    if (turnedDown !== undefined) {
      guard.words.tell(approvalId)
      return notApproved(last, turnedDown)
    }
    // Judged again from the start, under the same id, by which its result will come: the run may
    // have moved on while the person was thinking.
  }
  return last ?? plainDenial('internal', notJudged)
}

type TurnedDown = 'withdrawn' | Pick<ApprovalRow, 'status' | 'note'>

function verdictAgainst(row: ApprovalRow): TurnedDown | undefined {
  return row.status === 'approved' ? undefined : row
}

function notApproved(denial: Denial, ended: TurnedDown): Denial {
  // The approval is named no more: asking for it again would not help.
  const { runId, callId, allowedTools, events, notices } = denial
  const [code, message] = whyNot(ended)
  const reasons = [{ code, message, path: denial.reasons[0]?.path ?? '' }]
  const names = { runId, callId, allowedTools, events, notices }
  return { ...names, decision: 'deny', code, message, reasons }
}

function whyNot(ended: TurnedDown) {
  if (ended !== 'withdrawn' && ended.status === 'rejected') {
    const why = ended.note === null ? '' : ` They wrote: ${ended.note}`
    return ['approval_rejected', `A person rejected this call.${why}`] as const
  }
  if (ended !== 'withdrawn' && ended.status === 'expired') {
    return ['approval_expired', 'No person answered in time.'] as const
  }
  const message = 'The question was withdrawn, because the run has moved on.'
  return ['approval_withdrawn', message] as const
}

function opened(
  { runtime, onFault }: Guard,
  { results }: Adapter,
  caller: Caller,
  { branch }: CallRequest,
  { plan, runId, callId, workspace, notices, allowedTools, would }: AllowedCall,
): OpenCall {
  const since = runtime.clock.now()
  return {
    runId,
    callId,
    caller,
    branch,
    plan,
    workspace,
    notices,
    allowedTools,
    ...(would === undefined ? {} : { would }),
    async finish(outcome) {
      if (runId === null) return ok([])
      try {
        const done = await finishCall(runtime, caller, {
          durationMs: Math.max(0, runtime.clock.now() - since),
          ...outcome,
          run: runId,
          callId,
          source: results,
          ...(branch === undefined ? {} : { branch }),
        })
        // A run that ended meanwhile takes no more results; the call itself is in its history.
        return ok(done.ok ? noticesOf(done.value) : [])
      } catch (fault) {
        onFault(fault)
        return err('not_recorded')
      }
    },
  }
}

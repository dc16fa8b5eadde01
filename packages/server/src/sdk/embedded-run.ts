import type { Result } from '@statewright/core'
import { denialText } from '../clients/denial-text.ts'
import type { Caller } from '../runtime/caller.ts'
import { answerQuestion, type Changed, finishCall, transition } from '../runtime/change-run.ts'
import { checkCall } from '../runtime/check-call.ts'
import { findRun } from '../runtime/find-run.ts'
import type { RuntimeParts } from '../runtime/parts.ts'
import type { RuntimeProblem } from '../runtime/problem.ts'
import { viewRun } from '../runtime/runtime.ts'

import { type GuardedRun, type Moved, StatewrightError } from './statewright.ts'

/** A run of this very process. */
export function embeddedRun(parts: RuntimeParts, caller: Caller, run: string): GuardedRun {
  return {
    id: run,
    async check(call) {
      const answer = await checkCall(parts, caller, { ...call, run })
      const { decision, callId, code, message, approvalId } = answer
      return {
        decision,
        callId,
        ...(code === undefined ? {} : { code }),
        ...(message === undefined ? {} : { message }),
        ...(approvalId === undefined ? {} : { approvalId }),
        text: decision === 'allow' ? '' : denialText(answer),
      }
    },
    async finish({ callId, exit, bytes = 0, costUsd, branch }) {
      const done = await finishCall(parts, caller, {
        run,
        callId,
        exit,
        bytes,
        // The program that made the call says so, and it is not the one that is guarded.
        source: 'observed',
        ...(costUsd === undefined ? {} : { costMicros: Math.round(costUsd * 1_000_000) }),
        ...(branch === undefined ? {} : { branch }),
      })
      const { answer } = changed(done)
      return { notices: answer.type === 'recorded' ? answer.notices : [] }
    },
    async transition(event, data, branch) {
      const more = {
        ...(data === undefined ? {} : { data }),
        ...(branch === undefined ? {} : { branch }),
      }
      return moved(await transition(parts, caller, { run, event, ...more }), caller, branch)
    },
    async answer(answer, rationale) {
      const more = rationale === undefined ? {} : { rationale }
      return moved(await answerQuestion(parts, caller, { run, answer, ...more }), caller)
    },
    async state(branch) {
      const found = await findRun(parts, caller, { run })
      if (!found.ok) throw new StatewrightError(found.error.code, found.error.message)
      const { status, state, brief, allowed_tools, context } = viewRun(found.value, caller, branch)
      return { status, state, brief, allowedTools: allowed_tools, context }
    },
    async approval(approvalId) {
      const row = await parts.store.approvals.get(approvalId)
      if (row?.status === 'waiting' || row?.status === 'approved') return row.status
      return row?.status === 'rejected' ? 'rejected' : 'ended'
    },
  }
}

function changed(done: Result<Changed, RuntimeProblem>): Changed {
  if (done.ok) return done.value
  throw new StatewrightError(done.error.code, done.error.message)
}

function moved(done: Result<Changed, RuntimeProblem>, caller: Caller, branch?: string): Moved {
  const { live, answer } = changed(done)
  if (answer.type === 'pending_approval') {
    return { status: 'waits', approvalId: answer.approvalId }
  }
  const { state, brief } = viewRun(live, caller, branch)
  return { status: 'moved', state, brief }
}

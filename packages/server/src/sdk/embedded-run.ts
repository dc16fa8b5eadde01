import { defined, type Result } from '@statewright/core/internal'
import type { Caller } from '../base/caller.ts'
import type { RuntimeProblem } from '../base/problem.ts'
import { denialText } from '../guard/denial.ts'
import { finishCall, noticesOf } from '../guard/finish-call.ts'
import type { Guard } from '../guard/guard.ts'
import { type Adapter, openCall } from '../guard/guarded-call.ts'
import { answerQuestion, type ChangeResult, transition } from '../runtime/runs/change-run.ts'
import { findRun } from '../runtime/runs/find-run.ts'
import { viewRun } from '../runtime/runs/read-run.ts'
import { type GuardedRun, type MoveResult, StatewrightError } from './statewright.ts'

/** The program runs its tools itself, and is not what is guarded: it sees what comes of them. */
const program: Adapter = {
  name: 'the program',
  runs: 'as_it_is',
  waitsMs: 0,
  readsByShell: false,
  results: 'observed',
}

const defaultWaitMs = 5 * 60_000
/** Another process may have answered in the same folder, and tells nobody here. */
const lookEveryMs = 2000
const never = new AbortController().signal

/** A run of this very process. */
export function embeddedRun(guard: Guard, caller: Caller, run: string): GuardedRun {
  const runtime = guard.runtime
  const approval = async (approvalId: string) => {
    const row = await runtime.store.approvals.get(approvalId)
    if (row !== undefined) return row.status
    throw new StatewrightError('unknown_approval', 'There is no such approval.')
  }
  return {
    id: run,
    async check(call) {
      const opened = await openCall(guard, program, caller, { ...call, run })
      if (opened.ok) return { decision: 'allow', callId: opened.value.callId, text: '' }
      const { decision, callId, code, message, approvalId } = opened.error
      return {
        decision,
        callId,
        code,
        message,
        ...defined({ approvalId }),
        text: denialText(opened.error),
      }
    },
    async finish({ callId, exit, bytes = 0, costUsd, branch, output }) {
      const done = await finishCall(runtime, caller, {
        run,
        callId,
        exit,
        bytes,
        source: program.results,
        ...(costUsd === undefined ? {} : { costMicros: Math.round(costUsd * 1_000_000) }),
        ...defined({ branch, output }),
      })
      return { notices: noticesOf(changed(done)) }
    },
    async transition(event, data, branch) {
      const request = { run, event, ...defined({ data, branch }) }
      return moved(await transition(runtime, caller, request), caller, branch)
    },
    async answer(answer, rationale) {
      const request = { run, answer, ...defined({ rationale }) }
      return moved(await answerQuestion(runtime, caller, request), caller)
    },
    async state(branch) {
      const found = await findRun(runtime, caller, { run })
      if (!found.ok) throw new StatewrightError(found.error.code, found.error.message, found.error)
      const { status, state, brief, allowed_tools, context } = viewRun(found.value, caller, branch)
      return { status, state, brief, allowedTools: allowed_tools, context }
    },
    approval,
    waitForApproval: (approvalId, { timeoutMs = defaultWaitMs, signal = never } = {}) =>
      waitFor(guard, approvalId, () => approval(approvalId), { timeoutMs, signal }),
  }
}

async function waitFor<Status extends string>(
  { waiters }: Guard,
  approvalId: string,
  look: () => Promise<Status>,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<Status> {
  const until = Date.now() + timeoutMs
  for (;;) {
    const status = await look()
    const left = until - Date.now()
    if (status !== 'waiting' || left <= 0 || signal.aborted) return status
    await waiters.next(approvalId, Math.min(left, lookEveryMs), signal)
  }
}

function changed(done: Result<ChangeResult, RuntimeProblem>): ChangeResult {
  if (done.ok) return done.value
  throw new StatewrightError(done.error.code, done.error.message, done.error)
}

function moved(
  done: Result<ChangeResult, RuntimeProblem>,
  caller: Caller,
  branch?: string,
): MoveResult {
  const { live, answer } = changed(done)
  if (answer.type === 'pending_approval') {
    const { approvalId, message } = answer
    return { status: 'pending_approval', approvalId, message }
  }
  const { status, state, brief } = viewRun(live, caller, branch)
  return { status, state, brief }
}

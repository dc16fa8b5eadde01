import { type Allowance, type DigestFacts, err, ok, type Result } from '@statewright/core/internal'
import { actorOf, type Caller, systemActor } from '../../base/caller.ts'
import { problem, type RuntimeProblem, refusalProblem } from '../../base/problem.ts'
import type { ApprovalRow } from '../../store/store.ts'
import { dispatch } from '../dispatch.ts'
import { evidenceDigests } from '../evidence-facts.ts'
import type { LiveRun } from '../live-runs.ts'
import type { Runtime } from '../runtime.ts'

export interface Verdict {
  readonly approvalId: string
  readonly verdict: 'approve' | 'reject'
  readonly note?: string
  readonly always?: boolean
  /** With `always`: of which calls it holds (PO-7e). */
  readonly allowance?: Allowance
}

/** A person answers. Agents never do: the reducer refuses it, and so does this door. */
export async function resolveApproval(
  runtime: Runtime,
  caller: Caller,
  given: Verdict,
): Promise<Result<ApprovalRow, RuntimeProblem>> {
  if (caller.kind !== 'person') {
    return err(problem('self_approval', 'Only a person may answer an approval.'))
  }
  const row = await runtime.store.approvals.get(given.approvalId)
  if (row === undefined) {
    const next = 'list them with `statewright approval list`.'
    const message = `There is no approval ${given.approvalId.slice(0, 100)}.`
    return err(problem('unknown_approval', message, { next }))
  }
  if (row.status !== 'waiting') {
    const message = `Approval ${row.approvalId} was already answered: ${row.status}.`
    return err(problem('approval_resolved', message))
  }
  const done = await dispatch(runtime, row.runId, (live) => {
    const digests = approvalDigests(live, row.approvalId)
    return {
      event: {
        type: 'approval_resolved',
        at: runtime.clock.now(),
        by: actorOf(caller),
        approvalId: row.approvalId,
        verdict: given.verdict,
        ...(given.note === undefined ? {} : { note: given.note }),
        ...(given.always === undefined ? {} : { always: given.always }),
        ...(given.allowance === undefined ? {} : { allowance: given.allowance }),
        ...(digests === undefined ? {} : { digests }),
      },
      extras: { role: caller.role },
    }
  })
  if (done === undefined) return err(problem('unknown_run', 'The run no longer exists.'))
  if (done.step.refusal !== undefined) return err(refusalProblem(done.step.refusal))
  const { answer } = done.step
  if (answer.type === 'approval_ended' && answer.code === 'guard_failed') {
    const message = 'The guards no longer pass, so the approval has no effect.'
    return err(problem('guard_failed', message))
  }
  const after = await runtime.store.approvals.get(row.approvalId)
  return ok(after ?? row)
}

/** The lane that waits is the one whose evidence counts. */
function approvalDigests(live: LiveRun, approvalId: string): DigestFacts | undefined {
  const waiting = live.snapshot.fork?.branches.find((one) => one.lane.approval?.id === approvalId)
  return evidenceDigests(live, systemActor, waiting?.name)
}

/** Ends what nobody answered in time: an expired question is a rejection (WF-22, PO-7). */
export async function expireApprovals(runtime: Runtime): Promise<number> {
  const rows = await runtime.store.approvals.expired(runtime.clock.now())
  for (const row of rows) {
    await dispatch(runtime, row.runId, () => ({
      event: {
        type: 'approval_resolved',
        at: runtime.clock.now(),
        by: systemActor,
        approvalId: row.approvalId,
        verdict: 'expire',
      },
      extras: { role: '' },
    }))
  }
  return rows.length
}

import { limits } from '../base/limits.ts'
import type { ApprovalResolved } from '../run/events.ts'
import type { AskRecord } from '../run/snapshot.ts'
import type { Step } from '../run/step.ts'
import { type Draft, finish, record, refuse } from './draft.ts'
import { rememberResolved } from './withdraw.ts'

/** A person answers a policy's question about one call (PO-7). */
export function onAskResolved(draft: Draft<ApprovalResolved>): Step {
  const { event, run } = draft
  const ask = run.asks.find((one) => one.id === event.approvalId && one.status === 'waiting')
  if (ask === undefined) {
    const known = run.resolved.includes(event.approvalId)
    const message = known
      ? `Approval ${event.approvalId} was resolved before.`
      : `No approval ${event.approvalId} waits in this run.`
    return refuse(draft, known ? 'approval_resolved' : 'unknown_approval', message)
  }
  const isLate = event.at >= ask.expiresAt
  const verdict = event.verdict === 'approve' && isLate ? 'expire' : event.verdict
  const others = run.asks.filter((one) => one !== ask)
  draft.run = rememberResolved(
    { ...run, asks: kept(others, resolved(ask, verdict, event)) },
    ask.id,
  )
  const told = verdict === 'approve' ? 'approved' : verdict === 'reject' ? 'rejected' : 'expired'
  record(draft, {
    type: 'approval_resolved',
    approval_id: ask.id,
    verdict: told,
    by: event.by.id,
    ...(event.note === undefined ? {} : { note: event.note }),
    ...(event.always === true && verdict === 'approve' ? { always: true } : {}),
  })
  draft.actions.push({ type: 'close_approval', approvalId: ask.id, verdict: told })
  return finish(draft, { type: 'approval_ended', verdict: told })
}

/** An expired question leaves nothing behind: the same call may be asked about again. */
function resolved(
  ask: AskRecord,
  verdict: ApprovalResolved['verdict'],
  event: ApprovalResolved,
): AskRecord[] {
  if (verdict === 'expire') return []
  if (verdict === 'reject') return [{ ...ask, status: 'rejected' }]
  // The approval itself may be used as long as the question could have waited.
  const expiresAt = event.at + limits.approvalUseMs
  return [{ ...ask, status: 'approved', always: event.always === true, expiresAt }]
}

/** Keeps the list bounded; approvals that may still be used and rejections outlive the rest. */
function kept(others: readonly AskRecord[], added: readonly AskRecord[]): AskRecord[] {
  return [...others, ...added].slice(-limits.rememberedAsks)
}

import { limits } from '../base/limits.ts'
import { phrase } from '../base/text/phrase.ts'
import type { ApprovalResolved } from '../run/events.ts'
import type { AskRecord } from '../run/snapshot.ts'
import type { Step } from '../run/step.ts'
import { approvalEnded, closeApproval } from './close-approval.ts'
import { type Draft, refuse } from './draft.ts'
import { verdictOf } from './verdict-of.ts'

/** A person answers a policy's question about one call (PO-7). */
export function onAskResolved(draft: Draft<ApprovalResolved>): Step {
  const { event, run } = draft
  const asked = run.asks.filter((one) => one.id === event.approvalId && one.status === 'waiting')
  const [ask] = asked
  if (ask === undefined) {
    const known = run.resolved.includes(event.approvalId)
    const { approvalId: approval } = event
    const message = known
      ? phrase('approval_resolved', { approval })
      : phrase('unknown_approval', { approval })
    return refuse(draft, known ? 'approval_resolved' : 'unknown_approval', message)
  }
  const verdict = verdictOf(event, ask.expiresAt)
  // Several rules may have asked about the one call: the one verdict answers them all.
  const others = run.asks.filter((one) => !asked.includes(one))
  const answered = asked.flatMap((one) => resolved(one, verdict, event))
  draft.run = { ...run, asks: remembered(others, answered, event.at) }
  const always = event.always === true && verdict === 'approved'
  const allowance = always ? event.allowance : undefined
  closeApproval(draft, null, ask.id, { verdict, note: event.note, always, allowance })
  return approvalEnded(draft, verdict)
}

/** An expired question leaves nothing behind: the same call may be asked about again. */
function resolved(
  ask: AskRecord,
  verdict: ReturnType<typeof verdictOf>,
  event: ApprovalResolved,
): AskRecord[] {
  if (verdict === 'expired') return []
  if (verdict === 'rejected') return [{ ...ask, status: 'rejected' }]
  // The approval itself may be used as long as the question could have waited.
  const expiresAt = event.at + limits.approvalUseMs
  const always = event.always === true
  const allowance = always && event.allowance ? { allowance: event.allowance } : {}
  return [{ ...ask, status: 'approved', always, expiresAt, ...allowance }]
}

/**
 * Keeps the list bounded. What still waits and what holds for a whole rule is never forgotten;
 * of the rest the newest stay. A forgotten rejection asks again, it does not let anything pass.
 */
function remembered(
  others: readonly AskRecord[],
  added: readonly AskRecord[],
  at: number,
): AskRecord[] {
  const isOver = ({ allowance }: AskRecord) => (allowance?.until ?? at + 1) <= at
  const live = [...others, ...added].filter(
    (ask) => ask.status !== 'approved' || (ask.always && !isOver(ask)) || ask.expiresAt > at,
  )
  const isFixed = (ask: AskRecord) => ask.status === 'waiting' || ask.always
  return [...live.filter(isFixed), ...live.filter((ask) => !isFixed(ask)).slice(-maxAsks)]
}

const maxAsks = limits.rememberedAsks

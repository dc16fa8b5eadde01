import { textOf, type Words } from '../base/text/phrase.ts'
import { type LaneName, laneOf, withLane } from '../run/lanes.ts'
import type { PendingApproval } from '../run/snapshot.ts'
import type { Step } from '../run/step.ts'
import { type Draft, finish, record } from './draft.ts'

/** A question to a person, no matter who puts it: a transition, a checkpoint or a policy. */
export interface Question {
  readonly id: string
  readonly kind: 'transition' | 'checkpoint' | 'ask'
  readonly message: Words
  readonly expiresAt: number | null
  readonly event?: string
  readonly from?: string
  readonly to?: string | null
  readonly tool?: string
}

/** Puts a question to a person. Every question begins here, and ends in `closeApproval`. */
export function openApproval(draft: Draft, lane: LaneName, question: Question): void {
  const { id, kind, message, expiresAt, ...about } = question
  record(
    draft,
    {
      type: 'approval_opened',
      approval_id: id,
      kind,
      message,
      ...about,
      ...(expiresAt === null ? {} : { expires_at: expiresAt }),
    },
    lane,
  )
  const action = { type: 'open_approval', approvalId: id, kind, expiresAt } as const
  draft.actions.push({ ...action, message: textOf(message) })
}

/** The lane stays where it is, with its tools; only a person's verdict moves it on. */
export function parkLane(draft: Draft, lane: LaneName, approval: PendingApproval): Step {
  draft.run = withLane(draft.run, lane, { ...laneOf(draft.run, lane), approval })
  const { id, kind, message, expiresAt, event, from, to } = approval
  openApproval(draft, lane, { id, kind, message, expiresAt, event, from, to })
  return finish(draft, { type: 'pending_approval', approvalId: id, message: textOf(message) })
}

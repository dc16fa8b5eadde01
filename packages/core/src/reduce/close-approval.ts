import { limits } from '../base/limits.ts'
import type { Words } from '../base/text/phrase.ts'
import { type LaneName, laneOf, withLane } from '../run/lanes.ts'
import type { Step } from '../run/step.ts'
import type { Allowance } from '../run/verdict.ts'
import { type Verdict, verdictCodes } from '../run/verdict.ts'
import { type Draft, finish, record } from './draft.ts'

export interface Ending {
  readonly verdict: Verdict
  readonly note?: Words | undefined
  /** The person freed the rule for the rest of the run. */
  readonly always?: boolean
  readonly allowance?: Allowance | undefined
}

/** Ends a question to a person, in whatever way: nothing waits for it any more. */
export function closeApproval(
  draft: Draft,
  lane: LaneName,
  approvalId: string,
  { verdict, note, always, allowance }: Ending,
): void {
  const current = laneOf(draft.run, lane)
  const isParked = current.approval?.id === approvalId
  const run = isParked ? withLane(draft.run, lane, { ...current, approval: null }) : draft.run
  // A second verdict must be told apart from one on a wrong id.
  draft.run = { ...run, resolved: [...run.resolved, approvalId].slice(-limits.rememberedAsks) }
  record(
    draft,
    {
      type: 'approval_resolved',
      approval_id: approvalId,
      verdict,
      by: draft.event.by.id,
      ...(note === undefined || note === '' ? {} : { note }),
      ...(always === true ? { always } : {}),
      ...(allowance === undefined ? {} : { allowance }),
    },
    lane,
  )
  draft.actions.push({ type: 'close_approval', approvalId, verdict })
}

/** Ends a step whose question moved nothing. */
export function approvalEnded(draft: Draft, verdict: Verdict): Step {
  const code = verdict === 'approved' ? {} : { code: verdictCodes[verdict] }
  return finish(draft, { type: 'approval_ended', verdict, ...code })
}

/** Takes back a question to a person that the run has left behind (WF-22). */
export function withdrawApproval(draft: Draft, lane: LaneName): void {
  const { approval } = laneOf(draft.run, lane)
  if (approval !== null) closeApproval(draft, lane, approval.id, { verdict: 'withdrawn' })
}

/** Takes back every question of a policy; one that several rules put is told once (PO-7). */
export function withdrawAsks(draft: Draft): void {
  const { asks } = draft.run
  const waiting = new Set(asks.filter((ask) => ask.status === 'waiting').map((ask) => ask.id))
  if (waiting.size === 0) return
  draft.run = { ...draft.run, asks: asks.filter((ask) => ask.status !== 'waiting') }
  for (const id of waiting) closeApproval(draft, null, id, { verdict: 'withdrawn' })
}

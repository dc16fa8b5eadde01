import { limits } from '../base/limits.ts'
import { type LaneName, laneOf, withLane } from '../run/lanes.ts'
import type { RunSnapshot } from '../run/snapshot.ts'
import { type Draft, record } from './draft.ts'

/** Takes back a question to a person that the run has left behind (WF-22). */
export function withdrawApproval(draft: Draft, lane: LaneName): void {
  const { approval } = laneOf(draft.run, lane)
  if (approval === null) return
  closeApproval(draft, lane)
  draft.actions.push({ type: 'close_approval', approvalId: approval.id, verdict: 'withdrawn' })
  record(
    draft,
    {
      type: 'approval_resolved',
      approval_id: approval.id,
      verdict: 'withdrawn',
      by: draft.event.by.id,
    },
    lane,
  )
}

/** Clears the lane's pending approval and remembers that it was resolved. */
export function closeApproval(draft: Draft, lane: LaneName): void {
  const current = laneOf(draft.run, lane)
  if (current.approval === null) return
  const id = current.approval.id
  draft.run = rememberResolved(withLane(draft.run, lane, { ...current, approval: null }), id)
}

export function rememberResolved(run: RunSnapshot, id: string): RunSnapshot {
  return { ...run, resolved: [...run.resolved, id].slice(-limits.rememberedAsks) }
}

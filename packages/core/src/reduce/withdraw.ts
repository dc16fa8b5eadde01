import { limits } from '../base/limits.ts'
import { type LaneName, laneOf, withLane } from '../run/lanes.ts'
import type { RunSnapshot } from '../run/snapshot.ts'
import { type Draft, record } from './draft.ts'

/** Takes back a question to a person that the run has left behind (WF-22). */
export function withdrawApproval(draft: Draft, lane: LaneName): void {
  const { approval } = laneOf(draft.run, lane)
  if (approval === null) return
  closeApproval(draft, lane)
  tellWithdrawn(draft, approval.id, lane)
}

/** Takes back every question of a policy; one that several rules put is told once (PO-7). */
export function withdrawAsks(draft: Draft): void {
  const { asks } = draft.run
  const waiting = new Set(asks.filter((ask) => ask.status === 'waiting').map((ask) => ask.id))
  if (waiting.size === 0) return
  draft.run = { ...draft.run, asks: asks.filter((ask) => ask.status !== 'waiting') }
  for (const id of waiting) {
    draft.run = rememberResolved(draft.run, id)
    tellWithdrawn(draft, id, null)
  }
}

function tellWithdrawn(draft: Draft, approvalId: string, lane: LaneName): void {
  const verdict = 'withdrawn'
  draft.actions.push({ type: 'close_approval', approvalId, verdict })
  const by = draft.event.by.id
  record(draft, { type: 'approval_resolved', approval_id: approvalId, verdict, by }, lane)
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

import { limits } from '../base/limits.ts'
import type { ApprovalResolved } from '../run/events.ts'
import { branchOf, type LaneName, laneOf, topFrame } from '../run/lanes.ts'
import type { PendingApproval, PersonsWord } from '../run/snapshot.ts'
import type { Draft } from './draft.ts'
import { replaceTop } from './place.ts'

/**
 * Keeps what a person wrote where the run stands after the verdict: an agent that makes no call
 * from there on reads it in its brief (WF-22).
 */
export function keepWord(
  draft: Draft<ApprovalResolved>,
  lane: LaneName,
  { event }: PendingApproval,
  verdict: PersonsWord['verdict'],
): void {
  const note = draft.event.note?.slice(0, limits.messageLength) ?? ''
  if (note === '') return
  // The verdict may have ended the branch, and its fork with it.
  const isThere = lane === null || branchOf(draft.run.fork, lane) !== undefined
  const at = isThere ? lane : null
  const frame = topFrame(laneOf(draft.run, at))
  replaceTop(draft, at, { ...frame, word: { event, verdict, note } })
}

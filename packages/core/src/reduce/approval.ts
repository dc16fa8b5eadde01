import { limits } from '../base/limits.ts'
import { bounded } from '../base/text/bounded.ts'
import { type Phrase, phrase } from '../base/text/phrase.ts'
import { type MoveTransition, returnTarget } from '../machine/machine.ts'
import { readAll, refusedBy } from '../run/candidates.ts'
import type { ApprovalResolved } from '../run/events.ts'
import {
  branchOf,
  isUnfinished,
  type LaneName,
  laneOf,
  machineOf,
  stateOf,
  topFrame,
} from '../run/lanes.ts'
import type { PendingApproval, PersonsWord, Rejected, RunSnapshot } from '../run/snapshot.ts'
import type { Step } from '../run/step.ts'
import { onAskResolved } from './ask-resolved.ts'
import { detourOfLane } from './assume-finished.ts'
import { blockLane, goOn } from './checkpoint.ts'
import { approvalEnded, closeApproval } from './close-approval.ts'
import { mergeData } from './data.ts'
import { type Draft, refuse, refuseLargeContext } from './draft.ts'
import { goToTarget } from './go-to-target.ts'
import { moved } from './moved.ts'
import { replaceTop } from './put-lane.ts'
import { recordTransition } from './record-transition.ts'
import { verdictOf } from './verdict-of.ts'

/** A person (or the clock) answers a question that the run put. */
export function onApprovalResolved(draft: Draft<ApprovalResolved>): Step {
  const { event, run } = draft
  // The clock may let a question expire; it may not answer it.
  const mayAnswer = event.by.kind === 'system' ? event.verdict === 'expire' : isPerson(event)
  if (!mayAnswer) return refuse(draft, 'self_approval', phrase('self_approval'))
  const lane = laneWaitingFor(run, event.approvalId)
  if (lane === undefined) return onAskResolved(draft)
  const { approval } = laneOf(run, lane)
  if (approval === null) return onAskResolved(draft)
  const verdict = verdictOf(event, approval.expiresAt)
  if (verdict !== 'approved') return reject(draft, lane, approval, verdict)
  if (approval.kind === 'transition') return approveTransition(draft, lane, approval)
  closeApproval(draft, lane, approval.id, { verdict, note: event.note })
  goOn(draft, lane, approval.to)
  keepWord(draft, lane, approval, verdict)
  return moved(draft, lane, approval.from, { event: approval.event })
}

function isPerson(event: ApprovalResolved): boolean {
  return event.by.kind === 'person'
}

function laneWaitingFor(run: RunSnapshot, approvalId: string): LaneName | undefined {
  if (run.main.approval?.id === approvalId) return null
  return run.fork?.branches.find(
    (branch) => isUnfinished(branch) && branch.lane.approval?.id === approvalId,
  )?.name
}

function reject(
  draft: Draft<ApprovalResolved>,
  lane: LaneName,
  approval: PendingApproval,
  verdict: 'rejected' | 'expired',
): Step {
  const { note } = draft.event
  closeApproval(draft, lane, approval.id, { verdict, note })
  if (approval.kind === 'checkpoint') {
    blockLane(draft, lane)
    if (verdict === 'rejected') keepWord(draft, lane, approval, verdict)
    return moved(draft, lane, approval.from, { event: approval.event })
  }
  keepVerdict(draft, lane, approval, verdict)
  return approvalEnded(draft, verdict)
}

/** The guards are read again: what held when the question was put may not hold now (WF-22). */
function approveTransition(
  draft: Draft<ApprovalResolved>,
  lane: LaneName,
  approval: PendingApproval,
): Step {
  const { event, program } = draft
  if (detourOfLane(draft, lane)) return approvalEnded(draft, 'withdrawn')
  const frame = topFrame(laneOf(draft.run, lane))
  const machine = machineOf(program, frame)
  const transition = stateOf(program, frame).transitions.get(approval.event)
  const candidate =
    transition?.kind === 'move' ? transition.candidates[approval.candidate] : undefined
  if (candidate === undefined) return failApproval(draft, lane, approval)
  const { digests, at, by } = event
  const read = readAll(candidate, machine, frame, { digests, run: draft.run, at, by })
  const hasReturn = candidate.target !== returnTarget || frame.interrupt !== null
  if (!read.passed || !hasReturn) {
    // `transition` is a move here, since a candidate was found in it.
    const why = refusedBy(transition as MoveTransition, read.guards)
    return failApproval(draft, lane, approval, why.message)
  }
  const context = mergeData(frame.context, approval.data)
  if (context === null) return refuseLargeContext(draft, lane)
  closeApproval(draft, lane, approval.id, { verdict: 'approved', note: event.note })
  recordTransition(draft, lane, {
    from: approval.from,
    to: approval.to ?? '',
    event: approval.event,
    data: approval.data,
    by: approval.by,
    guards: read.guards,
  })
  goToTarget(draft, lane, candidate.target, context)
  keepWord(draft, lane, approval, 'approved')
  return moved(draft, lane, approval.from, { event: approval.event })
}

function failApproval(
  draft: Draft<ApprovalResolved>,
  lane: LaneName,
  approval: PendingApproval,
  message?: Phrase,
): Step {
  const why = message === undefined ? undefined : bounded(message)
  const note = draft.event.note ?? why
  closeApproval(draft, lane, approval.id, { verdict: 'failed', note })
  keepVerdict(draft, lane, approval, 'failed', why)
  return approvalEnded(draft, 'failed')
}

/** The agent is not there when a person decides: it learns the reason at its next turn (WF-22). */
function keepVerdict(
  draft: Draft<ApprovalResolved>,
  lane: LaneName,
  { event }: PendingApproval,
  verdict: Rejected['verdict'],
  why?: Phrase,
): void {
  const { note: given } = draft.event
  const note = given === undefined ? (why ?? '') : given.slice(0, limits.messageLength)
  const frame = topFrame(laneOf(draft.run, lane))
  replaceTop(draft, lane, { ...frame, rejected: { event, verdict, note } })
}

/**
 * Keeps what a person wrote where the run stands after the verdict: an agent that makes no call
 * from there on reads it in its brief (WF-22).
 */
function keepWord(
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

import type { JsonObject } from '../base/json.ts'
import { type Phrase, phrase } from '../base/text/phrase.ts'
import type { MachineCandidate, MoveTransition } from '../machine/machine.ts'
import { returnTarget } from '../machine/machine.ts'
import { chooseCandidate } from '../run/candidates.ts'
import type { GuardReading } from '../run/entries.ts'
import type { TransitionRequested } from '../run/events.ts'
import { type LaneName, laneOf, machineOf, topFrame } from '../run/lanes.ts'
import type { Frame } from '../run/snapshot.ts'
import type { Step } from '../run/step.ts'
import { type Draft, refuse } from './draft.ts'
import { goToTarget } from './go-to-target.ts'
import { moved } from './moved.ts'
import { parkLane } from './open-approval.ts'
import { recordTransition } from './record-transition.ts'

/** Moves by the first candidate that passes, or parks the run for a person (WF-19, WF-22). */
export function moveByCandidates(
  draft: Draft<TransitionRequested>,
  lane: LaneName,
  transition: MoveTransition,
  context: JsonObject,
): Step {
  const { event, program } = draft
  const frame = topFrame(laneOf(draft.run, lane))
  const machine = machineOf(program, frame)
  const { digests, at, by } = event
  const facts = { digests, run: draft.run, at, by }
  const choice = chooseCandidate(transition, machine, frame, facts)
  if (!choice.ok) {
    const { code, message, guards } = choice
    const hint = claimsItself(transition, event)
      ? { hint: phrase('data_counts_later', { event: event.event }) }
      : {}
    return refuse(draft, code, message, { lane, event: event.event, guards, ...hint })
  }
  const { candidate, guards } = choice
  if (candidate.target === returnTarget && frame.interrupt === null) {
    const message = phrase('no_return')
    return refuse(draft, 'no_return', message, { lane, event: event.event })
  }
  const waits = choice.needsPerson || (candidate.approval !== null && machine.approvalsWait)
  if (waits) return park(draft, lane, { candidate, index: choice.index, frame, guards })
  const to =
    candidate.target === returnTarget ? (frame.interrupt?.returnTo ?? '') : candidate.target
  const advice = candidate.approval?.message ?? null
  recordTransition(draft, lane, { from: frame.state, to, guards, advice })
  goToTarget(draft, lane, candidate.target, context)
  return moved(draft, lane, frame.state)
}

/** Whether the event brings along what its own guards read (WF-17). */
function claimsItself({ candidates }: MoveTransition, { data = {} }: TransitionRequested): boolean {
  const fields = candidates.flatMap(({ guards }) =>
    guards.flatMap((guard) =>
      guard.kind === 'field' ? [guard.rule.field, guard.segments[0] ?? ''] : [],
    ),
  )
  return fields.some((field) => Object.hasOwn(data, field))
}

interface Parking {
  readonly candidate: MachineCandidate
  readonly index: number
  readonly frame: Frame
  readonly guards: readonly GuardReading[]
}

function park(draft: Draft<TransitionRequested>, lane: LaneName, parking: Parking): Step {
  const { event } = draft
  const { candidate, frame } = parking
  const timeoutMs = candidate.approval?.timeoutMs ?? null
  return parkLane(draft, lane, {
    id: event.approvalId,
    kind: 'transition',
    by: event.by.id,
    event: event.event,
    candidate: parking.index,
    from: frame.state,
    to: candidate.target === returnTarget ? (frame.interrupt?.returnTo ?? null) : candidate.target,
    message: candidate.approval?.message ?? confirmEvidence(parking),
    data: event.data ?? {},
    openedAt: event.at,
    expiresAt: timeoutMs === null ? null : event.at + timeoutMs,
  })
}

function confirmEvidence({ candidate, guards }: Parking): Phrase {
  const names = guards.map((guard) => guard.guard)
  return phrase('confirm_evidence', { guards: names, target: candidate.target })
}

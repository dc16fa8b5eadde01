import { unreachable } from '../base/invariant.ts'
import { phrase, textOf } from '../base/text/phrase.ts'
import type { AnswerMove, MachineState } from '../machine/machine.ts'
import { chooseLane } from '../run/choose-lane.ts'
import type { AnswerGiven } from '../run/events.ts'
import { type LaneName, laneOf, machineOf, stateOf, topFrame } from '../run/lanes.ts'
import type { Step } from '../run/step.ts'
import { blockLane, goOn } from './checkpoint.ts'
import { type Draft, record, refuse } from './draft.ts'
import { moved } from './moved.ts'
import { parkLane } from './open-approval.ts'
import { notActive } from './transition.ts'

/** The agent answers the question of the checkpoint it stands at (PR-2 … PR-5). */
export function onAnswerGiven(draft: Draft<AnswerGiven>): Step {
  const { event, run, program } = draft
  const idle = notActive(run, draft.program)
  if (idle !== null) return refuse(draft, idle.code, idle.message)
  const choice = chooseLane(run, event.by, undefined)
  if (choice.kind !== 'lane') return refuse(draft, 'unknown_branch', choice.message)
  const lane = laneOf(run, choice.name)
  if (lane.approval !== null) {
    const { id: approvalId, message } = lane.approval
    return refuse(draft, 'approval_pending', phrase('person_must_decide', { question: message }), {
      lane: choice.name,
      approvalId,
    })
  }
  const frame = topFrame(lane)
  if (machineOf(program, frame).kind !== 'process') {
    const message = phrase('event_expected', { workflow: frame.machine })
    return refuse(draft, 'unknown_answer', message, { lane: choice.name })
  }
  const state = stateOf(program, frame)
  const key = matchAnswer(state, event.answer)
  const move = key === undefined ? undefined : state.transitions.get(key)
  if (key === undefined || move?.kind !== 'answer') {
    const known = [...state.transitions.keys()]
    const answer = event.answer.slice(0, 100)
    const message = phrase('unknown_answer', { answer, question: state.question, known })
    return refuse(draft, 'unknown_answer', message, { lane: choice.name })
  }
  return take(draft, choice.name, key, move)
}

/** Exact after trimming; without regard to case when that leaves one answer (PR-5). */
function matchAnswer(state: MachineState, given: string): string | undefined {
  const answer = given.trim()
  if (state.transitions.has(answer)) return answer
  const lower = answer.toLowerCase()
  const alike = [...state.transitions.keys()].filter((key) => key.toLowerCase() === lower)
  return alike.length === 1 ? alike[0] : undefined
}

function take(draft: Draft<AnswerGiven>, lane: LaneName, key: string, move: AnswerMove): Step {
  const { event } = draft
  const from = topFrame(laneOf(draft.run, lane)).state
  record(
    draft,
    {
      type: 'answered',
      from,
      answer: key,
      to: move.next,
      by: event.by.id,
      ...(event.rationale === undefined ? {} : { rationale: event.rationale }),
    },
    lane,
  )
  draft.run = { ...draft.run, transitionCount: draft.run.transitionCount + 1 }
  switch (move.action) {
    case 'block':
      blockLane(draft, lane)
      return moved(draft, lane, from, { event: key })
    case 'warn': {
      const warning = phrase('answer_warned', { answer: key, state: from })
      record(draft, { type: 'warned', message: warning }, lane)
      goOn(draft, lane, move.next)
      return moved(draft, lane, from, { event: key, warning: textOf(warning) })
    }
    case 'notify_human':
      return askPerson(draft, lane, key, move, from)
    case 'complete':
      goOn(draft, lane, null)
      return moved(draft, lane, from, { event: key })
    case null:
      goOn(draft, lane, move.next)
      return moved(draft, lane, from, { event: key })
    default:
      return unreachable(move.action)
  }
}

/** The run waits in the inbox; until a person decides, no tool but ours may be used (PR-4). */
function askPerson(
  draft: Draft<AnswerGiven>,
  lane: LaneName,
  key: string,
  move: AnswerMove,
  from: string,
): Step {
  const { event } = draft
  const state = stateOf(draft.program, topFrame(laneOf(draft.run, lane)))
  const message = phrase('answer_confirm', { answer: key, question: state.question ?? from })
  return parkLane(draft, lane, {
    id: event.approvalId,
    kind: 'checkpoint',
    by: event.by.id,
    event: key,
    candidate: 0,
    from,
    to: move.next,
    message,
    data: {},
    openedAt: event.at,
    expiresAt: null,
  })
}

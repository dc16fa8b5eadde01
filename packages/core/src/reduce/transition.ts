import { unreachable } from '../base/invariant.ts'
import type { JsonObject } from '../base/json.ts'
import { nearestNames } from '../base/nearest.ts'
import { type Phrase, phrase } from '../base/text/phrase.ts'
import type { MachineState, Program } from '../machine/machine.ts'
import { chooseLane } from '../run/choose-lane.ts'
import type { TransitionRequested } from '../run/events.ts'
import { type LaneName, laneOf, machineOf, stateOf, topFrame } from '../run/lanes.ts'
import { isPauseStrict, type RunSnapshot } from '../run/snapshot.ts'
import type { Step } from '../run/step.ts'
import { detourFirst } from './assume-finished.ts'
import { branchEvent, onBranchEvent } from './branch-event.ts'
import { dataFault, mergeData } from './data.ts'
import { type Draft, refuse, refuseLargeContext } from './draft.ts'
import { startFork } from './fork.ts'
import { startChild } from './invoke.ts'
import { moveByCandidates } from './move.ts'
import { moved } from './moved.ts'
import { recordTransition } from './record-transition.ts'
import { enter } from './settle.ts'

/** An agent asks to move on. */
export function onTransitionRequested(draft: Draft<TransitionRequested>): Step {
  const { event, run } = draft
  const idle = notActive(run, draft.program)
  if (idle !== null) return refuse(draft, idle.code, idle.message, { event: event.event })
  const fault = dataFault(event.data)
  if (fault !== null) return refuse(draft, fault.code, fault.message, { event: event.event })
  const detour = run.calls.length === 0 ? null : detourFirst(draft)
  if (detour !== null) return detour
  const aboutBranch = branchEvent(event.event)
  if (aboutBranch !== null) return onBranchEvent(draft, aboutBranch)
  const choice = chooseLane(run, event.by, event.branch)
  if (choice.kind !== 'lane') {
    const code = choice.kind === 'bound' ? 'branch_bound' : 'unknown_branch'
    return refuse(draft, code, choice.message, { event: event.event })
  }
  return moveLane(draft, choice.name)
}

/** Why a run takes no events now, or null when it does. */
export function notActive(
  run: RunSnapshot,
  { root }: Program,
): { code: 'run_paused' | 'run_not_active'; message: Phrase } | null {
  if (run.status === 'running' || run.status === 'waiting') return null
  if (run.status === 'paused') {
    const message = isPauseStrict(run)
      ? phrase('run_paused_person')
      : phrase('run_paused_agent', { workflow: root.id })
    return { code: 'run_paused', message }
  }
  return { code: 'run_not_active', message: phrase('run_not_active', { status: run.status }) }
}

function moveLane(draft: Draft<TransitionRequested>, lane: LaneName): Step {
  const { event, program } = draft
  const current = laneOf(draft.run, lane)
  if (current.approval !== null) {
    const message = phrase('person_must_decide', { question: current.approval.message })
    const approvalId = current.approval.id
    return refuse(draft, 'approval_pending', message, { lane, event: event.event, approvalId })
  }
  const frame = topFrame(current)
  const state = stateOf(program, frame)
  const context = mergeData(frame.context, event.data)
  if (context === null) return refuseLargeContext(draft, lane)
  const transition = state.transitions.get(event.event)
  if (transition === undefined) return onUnknownEvent(draft, lane, state, context)
  switch (transition.kind) {
    case 'move':
      return moveByCandidates(draft, lane, transition, context)
    case 'invoke':
      return startChild(draft, lane, transition, context)
    case 'fork':
      return startFork(draft, lane, transition, context)
    case 'answer':
      return refuse(
        draft,
        'unknown_event',
        phrase('answer_expected', { process: machineOf(program, frame).id }),
        { lane, event: event.event },
      )
    default:
      return unreachable(transition)
  }
}

/** `safe_next` catches only events that the state does not define (WF-16). */
function onUnknownEvent(
  draft: Draft<TransitionRequested>,
  lane: LaneName,
  state: MachineState,
  context: JsonObject,
): Step {
  const { event } = draft
  if (state.safeNext === null) {
    const near = nearestNames(event.event, state.transitions.keys())
    const about = {
      state: state.name,
      event: event.event.slice(0, 100),
      known: [...state.transitions.keys()],
    }
    const message =
      near.length === 0
        ? phrase('unknown_event', about)
        : phrase('unknown_event_near', { ...about, near })
    return refuse(draft, 'unknown_event', message, { lane, event: event.event })
  }
  recordTransition(draft, lane, { from: state.name, to: state.safeNext, safeNext: true })
  enter(draft, lane, state.safeNext, context)
  return moved(draft, lane, state.name)
}

import type { JsonObject } from '../base/json.ts'
import { type Phrase, phrase, textOf } from '../base/text/phrase.ts'
import { shortestWay, waysOn } from '../machine/way.ts'
import { noSuchBranch } from '../run/choose-lane.ts'
import type { TransitionRequested } from '../run/events.ts'
import { branchOf, isUnfinished, laneOf, machineOf, stateOf, topFrame } from '../run/lanes.ts'
import type { BranchSnapshot, Frame } from '../run/snapshot.ts'
import type { Step } from '../run/step.ts'
import { mergeData } from './data.ts'
import { type Draft, finish, refuse, refuseLargeContext } from './draft.ts'
import { moved } from './moved.ts'
import { replaceTop } from './put-lane.ts'
import { recordTransition } from './record-transition.ts'
import { enter, failLane } from './settle.ts'

export interface BranchEvent {
  readonly kind: 'done' | 'fail'
  readonly name: string | null
}

/** Reads `BRANCH_DONE`, `BRANCH_DONE:lint` and `BRANCH_FAIL:lint`; null for any other event. */
export function branchEvent(event: string): BranchEvent | null {
  if (!event.startsWith('BRANCH_')) return null
  const match = /^BRANCH_(DONE|FAIL)(?::(.*))?$/s.exec(event)
  if (match === null) return null
  return { kind: match[1] === 'DONE' ? 'done' : 'fail', name: match[2] ?? null }
}

/** A caller says that a branch is done or has failed (WF-24). */
export function onBranchEvent(draft: Draft<TransitionRequested>, request: BranchEvent): Step {
  const { event, run } = draft
  const found = findBranch(draft, request)
  if ('step' in found) return found.step
  const { branch } = found
  if (branch.boundTo !== null && branch.boundTo !== event.by.id && event.by.kind === 'agent') {
    const message = phrase('branch_bound', { branch: branch.name })
    return refuse(draft, 'branch_bound', message, { event: event.event })
  }
  const own = boundBranch(draft)
  if (own !== undefined && own !== branch && event.by.kind === 'agent') {
    const message = phrase('agent_bound_to', { bound: own.name, branch: branch.name })
    return refuse(draft, 'branch_bound', message, { event: event.event })
  }
  if (!isUnfinished(branch)) return alreadyOver(draft, branch, request)
  const lane = laneOf(run, branch.name)
  // Only a person leaves a question of theirs unanswered.
  if (lane.approval !== null && (request.kind === 'done' || event.by.kind === 'agent')) {
    const { id: approvalId, message: question } = lane.approval
    const message = phrase('person_must_decide', { question })
    const more = { lane: branch.name, event: event.event, approvalId }
    return refuse(draft, 'approval_pending', message, more)
  }
  const context = mergeData(topFrame(lane).context, event.data)
  if (context === null) return refuseLargeContext(draft, branch.name)
  return request.kind === 'done' ? complete(draft, branch, context) : fail(draft, branch, context)
}

type BranchLookup = { readonly branch: BranchSnapshot } | { readonly step: Step }

function findBranch(draft: Draft<TransitionRequested>, request: BranchEvent): BranchLookup {
  const { event, run } = draft
  const name = request.name ?? event.branch ?? boundBranch(draft)?.name
  if (name === undefined) {
    const message = phrase('branch_unnamed', { event: event.event })
    return { step: refuse(draft, 'unknown_branch', message, { event: event.event }) }
  }
  if (run.fork === null && request.kind === 'done' && run.lastBranches.includes(name)) {
    const notices = [textOf(phrase('branch_joined', { branch: name.slice(0, 100) }))]
    return { step: finish(draft, { type: 'recorded', notices }) }
  }
  const branch = branchOf(run.fork, name)
  if (branch !== undefined) return { branch }
  const message = noSuchBranch(run.fork, name)
  return { step: refuse(draft, 'unknown_branch', message, { event: event.event }) }
}

function boundBranch({ run, event }: Draft): BranchSnapshot | undefined {
  return run.fork?.branches.find((one) => one.boundTo !== null && one.boundTo === event.by.id)
}

function alreadyOver(
  draft: Draft<TransitionRequested>,
  branch: BranchSnapshot,
  request: BranchEvent,
): Step {
  if (request.kind === 'done' && branch.status === 'completed') {
    const notices = [textOf(phrase('branch_completed', { branch: branch.name }))]
    return finish(draft, { type: 'recorded', notices })
  }
  const { name, status } = branch
  const message = phrase('branch_ended_already', { branch: name, status })
  return refuse(draft, 'branch_not_done', message, { event: draft.event.event })
}

function complete(
  draft: Draft<TransitionRequested>,
  branch: BranchSnapshot,
  context: JsonObject,
): Step {
  const { event } = draft
  const frame = topFrame(branch.lane)
  if (!mayFinish(draft, branch, frame)) {
    const { name, terminal } = branch
    const about = { branch: name, state: frame.state, terminal }
    const way = shortestToTerminal(draft, branch, frame)
    const message =
      way === undefined
        ? phrase('branch_not_done', about)
        : phrase('branch_not_done_way', { ...about, way })
    return refuse(draft, 'branch_not_done', message, { lane: branch.name, event: event.event })
  }
  recordTransition(draft, branch.name, { from: frame.state, to: branch.terminal })
  enter(draft, branch.name, branch.terminal, context)
  return moved(draft, branch.name, frame.state)
}

/** Finishing is free only where nothing would have held the branch up on its way. */
function mayFinish(draft: Draft, branch: BranchSnapshot, frame: Frame): boolean {
  if (branch.lane.frames.length > 1) return false
  const { transitions } = stateOf(draft.program, frame)
  if (transitions.size === 0) return true
  return [...transitions.values()].some((transition) => {
    if (transition.kind !== 'move') return false
    // Only the first candidate is free: a later one is what the guards before it leave over.
    const [first] = transition.candidates
    if (first?.target !== branch.terminal) return false
    return first.guards.length === 0 && first.approval === null
  })
}

function shortestToTerminal(
  draft: Draft,
  branch: BranchSnapshot,
  frame: Frame,
): readonly Phrase[] | undefined {
  const bottom = branch.lane.frames.length === 1
  const machine = machineOf(draft.program, frame)
  const goal = bottom ? branch.terminal : null
  const way =
    goal === null
      ? undefined
      : shortestWay(machine, frame.state, (state) => state.name === goal, {
          from: (state) => waysOn(state, null),
          finals: true,
        })
  return way?.map(({ event, target }) => phrase('way_step', { event, target }))
}

function fail(
  draft: Draft<TransitionRequested>,
  branch: BranchSnapshot,
  context: JsonObject,
): Step {
  const frame = topFrame(branch.lane)
  replaceTop(draft, branch.name, { ...frame, context })
  recordTransition(draft, branch.name, { from: frame.state, to: frame.state })
  failBranch(draft, branch)
  return moved(draft, branch.name, frame.state)
}

/** A child that still runs in the branch ends with it. */
function failBranch(draft: Draft, branch: BranchSnapshot): void {
  const { fork } = draft.run
  const bottom = laneOf(draft.run, branch.name).frames.slice(0, 1)
  if (fork !== null && branch.lane.frames.length > 1) {
    const branches = fork.branches.map((one) =>
      one.name === branch.name ? { ...one, lane: { ...one.lane, frames: bottom } } : one,
    )
    draft.run = { ...draft.run, fork: { ...fork, branches } }
  }
  failLane(draft, branch.name)
}

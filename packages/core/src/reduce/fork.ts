import type { JsonObject } from '../base/json.ts'
import { phrase } from '../base/text/phrase.ts'
import type { ForkMove } from '../machine/machine.ts'
import type { TransitionRequested } from '../run/events.ts'
import { branchOf, isUnfinished, type LaneName, topFrame } from '../run/lanes.ts'
import type { BranchSnapshot, Frame } from '../run/snapshot.ts'
import type { Step } from '../run/step.ts'
import { type Draft, record, refuse } from './draft.ts'
import { moved } from './moved.ts'
import { replaceTop } from './put-lane.ts'
import { sentBy } from './record-transition.ts'
import { settle } from './settle.ts'

/** Starts the branches, each with its own state, counters and copy of the context (WF-24). */
export function startFork(
  draft: Draft<TransitionRequested>,
  lane: LaneName,
  transition: ForkMove,
  context: JsonObject,
): Step {
  const { event, run } = draft
  if (lane !== null) {
    const message = phrase('fork_in_branch')
    return refuse(draft, 'fork_in_branch', message, { lane, event: event.event })
  }
  const parent = topFrame(run.main)
  replaceTop(draft, null, { ...parent, context })
  const branches = transition.branches.map((branch, index): BranchSnapshot => {
    const frame: Frame = {
      machine: parent.machine,
      state: branch.initial,
      context,
      counters: { visit: run.visits + 1 + index, iterations: 0, bytes: 0, files: [] },
      interrupt: null,
      evidence: parent.evidence,
      baseline: parent.baseline,
      rejected: null,
      invoked: null,
    }
    return {
      ...branch,
      status: index === 0 ? 'running' : 'pending',
      boundTo: null,
      lane: { frames: [frame], approval: null },
    }
  })
  const { join, onComplete, onFail } = transition
  draft.run = {
    ...draft.run,
    fork: { event: event.event, join, onComplete, onFail, branches },
    visits: run.visits + branches.length,
    transitionCount: run.transitionCount + 1,
    lastBranches: [],
  }
  const names = branches.map((branch) => branch.name)
  record(draft, {
    type: 'forked',
    from: parent.state,
    event: event.event,
    join,
    branches: names,
    ...sentBy(event),
  })
  // A branch may begin where it ends; the first such end may already join the fork.
  for (const name of names) {
    const branch = branchOf(draft.run.fork, name)
    if (branch !== undefined && isUnfinished(branch)) settle(draft, name)
  }
  return moved(draft, null, parent.state)
}

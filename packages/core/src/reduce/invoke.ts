import type { JsonObject } from '../base/json.ts'
import { limits } from '../base/limits.ts'
import { phrase } from '../base/text/phrase.ts'
import type { InvokeMove } from '../machine/machine.ts'
import type { TransitionRequested } from '../run/events.ts'
import { type LaneName, laneOf, topFrame, withLane, withTop } from '../run/lanes.ts'
import type { Frame } from '../run/snapshot.ts'
import type { Step } from '../run/step.ts'
import { baselineOfChild } from './baseline.ts'
import { type Draft, record, refuse } from './draft.ts'
import { moved } from './moved.ts'
import { sentBy } from './record-transition.ts'
import { settle } from './settle.ts'

/** Starts the invoked definition as a child: its tools count until it ends (WF-23). */
export function startChild(
  draft: Draft<TransitionRequested>,
  lane: LaneName,
  transition: InvokeMove,
  context: JsonObject,
): Step {
  const { event, program, run } = draft
  const current = laneOf(run, lane)
  const parent = topFrame(current)
  const depth = current.frames.length + (lane === null ? 0 : run.main.frames.length - 1)
  if (depth > limits.invokeDepth) {
    const { machine: definition } = transition
    const message = phrase('invoke_too_deep', { most: limits.invokeDepth, definition })
    return refuse(draft, 'invoke_too_deep', message, { lane, event: event.event })
  }
  const child = program.machines.get(transition.machine)
  if (child === undefined) {
    const message = phrase('unknown_workflow', { definition: transition.machine })
    return refuse(draft, 'unknown_workflow', message, { lane, event: event.event })
  }
  const visit = run.visits + 1
  const frame: Frame = {
    machine: transition.machine,
    state: child.initial,
    context: { ...child.context, ...transition.input },
    counters: { visit, iterations: 0, bytes: 0, files: [] },
    interrupt: null,
    evidence: {},
    baseline: baselineOfChild(run, transition.machine),
    rejected: null,
    invoked: {
      key: transition.machine,
      onComplete: transition.onComplete,
      onFail: transition.onFail,
    },
  }
  const parents = withTop(current, { ...parent, context })
  draft.run = {
    ...withLane(run, lane, { ...parents, frames: [...parents.frames, frame] }),
    visits: visit,
    transitionCount: run.transitionCount + 1,
  }
  record(
    draft,
    {
      type: 'invoked',
      from: parent.state,
      event: event.event,
      workflow: transition.machine,
      state: child.initial,
      ...sentBy(event),
    },
    lane,
  )
  settle(draft, lane)
  return moved(draft, lane, parent.state)
}

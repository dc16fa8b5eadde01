import { invariant } from '../base/invariant.ts'
import type { Json, JsonObject } from '../base/json.ts'
import { type LaneName, laneOf, machineOf, topFrame, withLane } from '../run/lanes.ts'
import type { Frame } from '../run/snapshot.ts'
import { withdrawApproval } from './close-approval.ts'
import { firstFitting } from './data.ts'
import { type Draft, record } from './draft.ts'

/** Where the parent goes on; a null target means that nobody provided for it. */
export interface WentBack {
  readonly target: string | null
  readonly context: JsonObject
}

/**
 * Takes a finished child off its parent. Its context comes back under the key of the invoked name,
 * and the keys it lists as output also at the top (WF-23).
 */
export function popChild(draft: Draft, lane: LaneName, succeeded: boolean): WentBack {
  withdrawApproval(draft, lane)
  const current = laneOf(draft.run, lane)
  const child = topFrame(current)
  const { invoked } = child
  invariant(invoked !== null, 'a child knows who invoked it')
  const parents = { ...current, frames: current.frames.slice(0, -1) }
  draft.run = withLane(draft.run, lane, parents)
  const target = succeeded ? invoked.onComplete : invoked.onFail
  record(draft, { type: 'invoke_ended', workflow: child.machine, succeeded, to: target }, lane)
  const before = topFrame(parents).context
  const { output } = machineOf(draft.program, child)
  const context = firstFitting(draft, lane, [
    () => ({ ...before, ...outputOf(child, output), [invoked.key]: child.context }),
    () => ({ ...before, ...outputOf(child, output), [invoked.key]: {} }),
    () => before,
  ])
  return { target, context }
}

function outputOf({ context }: Frame, names: readonly string[]): JsonObject {
  const given: Record<string, Json> = {}
  for (const name of names) {
    if (Object.hasOwn(context, name)) given[name] = context[name] ?? null
  }
  return given
}

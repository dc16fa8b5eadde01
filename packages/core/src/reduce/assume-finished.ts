import type { TransitionRequested } from '../run/events.ts'
import type { LaneName } from '../run/lanes.ts'
import type { CallRecord } from '../run/snapshot.ts'
import type { Step } from '../run/step.ts'
import { laneOfCall } from './call-lane.ts'
import type { Draft } from './draft.ts'
import { fireInterrupt } from './interrupt.ts'
import { moved } from './moved.ts'
import { openEdits } from './remembered-calls.ts'

/**
 * A let-through edit whose result never came counts as done when its caller's next call is judged:
 * results ride on client hooks, which may be lost or held back (WF-28). Returns the notices.
 */
export function assumeFinished(draft: Draft, caller: string): string[] {
  return assume(draft, (call) => call.caller === caller)
}

function assume(draft: Draft, isMeant: (call: CallRecord) => boolean): string[] {
  // While nothing is enforced nothing fires either: the edit is kept until the run goes on.
  if (draft.run.status !== 'running' && draft.run.status !== 'waiting') return []
  const pending = openEdits(draft.run.calls).filter(isMeant)
  if (pending.length === 0) return []
  const ids = new Set(pending.map((call) => call.id))
  const calls = draft.run.calls.map((call) =>
    ids.has(call.id) ? { ...call, status: 'assumed' as const } : call,
  )
  draft.run = { ...draft.run, calls }
  return pending.flatMap((call) => {
    const lane = laneOfCall(draft.run, call)
    if (lane === undefined) return []
    const { files: byTool, shellFiles: byShell, tool, fires } = call
    const changed = { byTool, byShell, tool, ...(fires === undefined ? {} : { fires }) }
    return fireInterrupt(draft, lane, changed) ?? []
  })
}

/**
 * An event is a call of its caller as well. Where a held-back edit wants a detour, the detour comes
 * first and takes the event's place: otherwise an agent that sends DONE before its result would
 * leave the file unchecked. Null when nothing is held back.
 */
export function detourFirst(draft: Draft<TransitionRequested>): Step | null {
  const notices = assumeFinished(draft, draft.event.by.id)
  const fired = draft.entries.find((entry) => entry.type === 'interrupted')
  if (fired === undefined) {
    draft.run = draft.before
    return null
  }
  return moved(draft, fired.branch ?? null, fired.from, { warning: notices.join('\n') })
}

/**
 * The same when a person approves: an edit made while the question waited may want a detour, which
 * withdraws the question. Returns whether it did.
 */
export function detourOfLane(draft: Draft, lane: LaneName): boolean {
  const { run } = draft
  assume(draft, (call) => laneOfCall(run, call) === lane)
  if (draft.entries.some((entry) => entry.type === 'interrupted')) return true
  draft.run = draft.before
  return false
}

import type { CallRecord } from '../run/snapshot.ts'
import { laneOfCall } from './call-lane.ts'
import type { Draft } from './draft.ts'
import { fireInterrupt } from './interrupt.ts'

/**
 * A let-through edit whose result never came counts as done when its caller's next call is judged:
 * results ride on client hooks, which may be lost or held back (WF-28). Returns the notices.
 */
export function assumeFinished(draft: Draft, caller: string): string[] {
  const pending = draft.run.calls.filter(
    (call) => call.status === 'open' && call.caller === caller && changesFiles(call),
  )
  if (pending.length === 0) return []
  const ids = new Set(pending.map((call) => call.id))
  const calls = draft.run.calls.map((call) =>
    ids.has(call.id) ? { ...call, status: 'assumed' as const } : call,
  )
  draft.run = { ...draft.run, calls }
  if (draft.run.status !== 'running' && draft.run.status !== 'waiting') return []
  return pending.flatMap((call) => {
    const changed = { byTool: call.files, byShell: call.shellFiles }
    return fireInterrupt(draft, laneOfCall(draft.run, call), changed) ?? []
  })
}

function changesFiles(call: CallRecord): boolean {
  return call.files.length > 0 || call.shellFiles.length > 0
}

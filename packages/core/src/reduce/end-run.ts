import { topFrame } from '../run/lanes.ts'
import type { Lane, RunStatus } from '../run/snapshot.ts'
import { type Draft, record } from './draft.ts'
import { withdrawApproval } from './withdraw.ts'

/** Ends the run: what waited for a person is withdrawn, and nothing restricts any more. */
export function endRun(draft: Draft, status: RunStatus): void {
  withdrawApproval(draft, null)
  for (const branch of draft.run.fork?.branches ?? []) withdrawApproval(draft, branch.name)
  for (const ask of draft.run.asks) {
    if (ask.status !== 'waiting') continue
    draft.actions.push({ type: 'close_approval', approvalId: ask.id, verdict: 'withdrawn' })
  }
  const asks = draft.run.asks.filter((ask) => ask.status !== 'waiting')
  draft.run = { ...draft.run, status, asks }
  record(draft, { type: 'run_ended', status, state: whereItStands(draft.run.main) })
  draft.actions.push({ type: 'end_run', status })
}

function whereItStands(lane: Lane): string {
  return topFrame(lane).state
}

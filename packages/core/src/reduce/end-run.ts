import { topFrame } from '../run/lanes.ts'
import type { Lane, RunStatus } from '../run/snapshot.ts'
import { withdrawApproval, withdrawAsks } from './close-approval.ts'
import { type Draft, record } from './draft.ts'

/** Ends the run: what waited for a person is withdrawn, and its states restrict no more. */
export function endRun(draft: Draft, status: RunStatus): void {
  withdrawApproval(draft, null)
  for (const branch of draft.run.fork?.branches ?? []) withdrawApproval(draft, branch.name)
  withdrawAsks(draft)
  const { held: _, ...run } = draft.run
  draft.run = { ...run, status }
  record(draft, { type: 'run_ended', status, state: whereItStands(draft.run.main) })
  draft.actions.push({ type: 'end_run', status })
}

function whereItStands(lane: Lane): string {
  return topFrame(lane).state
}

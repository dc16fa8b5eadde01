import { topFrame } from '../run/lanes.ts'
import type { Lane, RunSnapshot, RunStatus } from '../run/snapshot.ts'
import { withdrawApproval, withdrawAsks } from './close-approval.ts'
import { type Draft, record } from './draft.ts'

/** Ends the run: what waited for a person is withdrawn, and its states restrict no more. */
export function endRun(draft: Draft, status: RunStatus): void {
  withdrawApproval(draft, null)
  for (const branch of draft.run.fork?.branches ?? []) withdrawApproval(draft, branch.name)
  withdrawAsks(draft)
  draft.run = { ...letGo(draft.run), status }
  record(draft, { type: 'run_ended', status, state: whereItStands(draft.run.main) })
  draft.actions.push({ type: 'end_run', status })
}

/** Leaving a field out copies the slow way, and most runs end without a pause that holds them. */
function letGo(run: RunSnapshot): RunSnapshot {
  if (run.held === undefined) return run
  const { held: _, ...rest } = run
  return rest
}

function whereItStands(lane: Lane): string {
  return topFrame(lane).state
}

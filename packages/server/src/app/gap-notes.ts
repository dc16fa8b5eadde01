import { phrase } from '@statewright/core/internal'
import { systemActor } from '../base/caller.ts'
import type { Gap } from '../reports/stop-marks.ts'
import { dispatch } from '../runtime/dispatch.ts'
import type { LiveRun } from '../runtime/live-runs.ts'
import type { Runtime } from '../runtime/runtime.ts'

/** Whether a run was under way when the server died, and has not been told yet. */
export function isConcerned({ row, snapshot }: LiveRun, gap: Gap | undefined): boolean {
  if (gap === undefined || row.updatedAt >= gap.until) return false
  return snapshot.status === 'running' || snapshot.status === 'waiting'
}

/** Writes into a run's history that nobody judged for a while (enforcement gap). */
export async function noteGap(runtime: Runtime, runId: string, gap: Gap): Promise<void> {
  await dispatch(runtime, runId, () => ({
    event: {
      type: 'noted',
      at: runtime.clock.now(),
      by: systemActor,
      entry: 'gap',
      text: phrase('enforcement_gap', { until: gap.until }),
    },
    extras: { role: '' },
  }))
}

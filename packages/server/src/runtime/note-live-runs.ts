import type { Phrase } from '@statewright/core/internal'
import { actorOf, type Caller } from '../base/caller.ts'
import { dispatch } from './dispatch.ts'
import type { Runtime } from './runtime.ts'

const live = ['running', 'waiting', 'paused', 'blocked'] as const
/** Of more runs only the newest are told: a switch must not wait for thousands of commits. */
const maxRuns = 200

/** Writes what a person did to all runs into the history of those that are live. */
export async function noteInLiveRuns(
  runtime: Runtime,
  caller: Caller,
  text: Phrase,
  onFault: (runId: string, fault: unknown) => void,
): Promise<void> {
  const { runs } = await runtime.store.runs.list({ status: live, limit: maxRuns })
  for (const { runId } of runs) {
    try {
      await dispatch(runtime, runId, () => ({
        event: {
          type: 'noted',
          at: runtime.clock.now(),
          by: actorOf(caller),
          entry: 'notice',
          text,
        },
        extras: { role: caller.role },
      }))
    } catch (fault) {
      onFault(runId, fault)
    }
  }
}

import { type Actor, readsTask } from '@statewright/core/internal'
import type { Caller } from '../base/caller.ts'
import { dispatch } from './dispatch.ts'
import type { LiveRun } from './live-runs.ts'
import type { Runtime } from './runtime.ts'

/**
 * Notes what a person asked for, where a condition reads it (FC-11). An agent's own word for it is
 * never taken: whoever calls this has seen that it came from a person.
 */
export async function giveTask(
  runtime: Runtime,
  caller: Caller,
  live: LiveRun,
  text: string,
): Promise<void> {
  if (!readsTask(live.program)) return
  const { hide } = await runtime.sealings.sealing()
  const by: Actor = { kind: 'person', id: caller.name }
  await dispatch(runtime, live.row.runId, () => ({
    event: { type: 'task_given', at: runtime.clock.now(), by, text: hide(text, '') },
    baggage: { role: caller.role },
  }))
}

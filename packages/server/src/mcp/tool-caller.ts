import { err, ok, type Result } from '@statewright/core/internal'
import type { Caller } from '../base/caller.ts'
import { problem, type RuntimeProblem } from '../base/problem.ts'
import type { Guard } from '../guard/guard.ts'
import { endedRun, whichRun } from '../guard/which-run.ts'
import type { LiveRun } from '../runtime/live-runs.ts'
import type { ConnectionRef, RunRef } from '../runtime/runs/find-run.ts'
import { viewRun } from '../runtime/runs/read-run.ts'
import type { Runtime } from '../runtime/runtime.ts'

/** Who calls a tool of ours, and what is known of where it stands. */
export interface ToolCaller {
  readonly guard: Guard
  readonly runtime: Runtime
  readonly caller: Caller
  /** The client session, where a client hook has announced the call or the connection names it. */
  readonly session?: string
  readonly connection?: ConnectionRef
  /** The run that the call itself names, beside the arguments of its tool. */
  readonly run?: string
  readonly project?: string
}

/** The run that a call to one of our own tools is about. */
export async function callersRun(
  from: ToolCaller,
  run: string | undefined,
): Promise<Result<LiveRun, RuntimeProblem>> {
  const { runtime, caller, session } = from
  const found = await whichRun(runtime, caller, runRefOf(from, run))
  if (!found.ok) return found
  if (found.value !== undefined) return ok(found.value)
  const ended = run === undefined ? await endedRun(runtime, caller, runRefOf(from)) : undefined
  const none = session === undefined ? 'No run is active.' : 'This session has no run.'
  // An agent that waited for a person learns so that it was the end of its run.
  const message = ended === undefined ? none : `${none} ${viewRun(ended, caller).brief}`
  const next = 'load one with statewright_load_workflow; statewright_list_workflows names them.'
  return err(problem('no_active_run', message, { next }))
}

/** How a call says which run it means. */
export function runRefOf({ session, connection, run }: ToolCaller, named?: string): RunRef {
  const meant = named ?? run
  if (meant !== undefined) return { run: meant }
  if (session !== undefined) return { session }
  return connection === undefined ? {} : { connection }
}

import { err, ok, type Result } from '@statewright/core'
import type { Guard } from '../guard/guard.ts'
import { whichRun } from '../guard/which-run.ts'
import type { Caller } from '../runtime/caller.ts'
import type { LiveRun } from '../runtime/live-runs.ts'
import type { RuntimeParts } from '../runtime/parts.ts'
import { problem, type RuntimeProblem } from '../runtime/problem.ts'

/** Who calls a tool of ours, and what is known of where it stands. */
export interface ToolCaller {
  readonly guard: Guard
  readonly parts: RuntimeParts
  readonly caller: Caller
  /** The client session, where a client hook has announced the call or the connection names it. */
  readonly session?: string
  readonly project?: string
}

/** The run that a call to one of our own tools is about. */
export async function callersRun(
  { parts, caller, session }: ToolCaller,
  run: string | undefined,
): Promise<Result<LiveRun, RuntimeProblem>> {
  const ref = run !== undefined ? { run } : session !== undefined ? { session } : {}
  const found = await whichRun(parts, caller, ref)
  if (!found.ok) return found
  if (found.value !== undefined) return ok(found.value)
  const message = session === undefined ? 'No run is active.' : 'This session has no run.'
  const next = 'load one with statewright_load_workflow; statewright_list_workflows names them.'
  return err(problem('no_active_run', message, { next }))
}

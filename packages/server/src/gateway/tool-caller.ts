import { err, ok, type Result } from '@statewright/core'
import type { Guard } from '../guard/guard.ts'
import { whichRun } from '../guard/which-run.ts'
import type { Caller } from '../runtime/caller.ts'
import { type ConnectionRef, keyOfConnection, type RunRef } from '../runtime/find-run.ts'
import type { LiveRun } from '../runtime/live-runs.ts'
import type { RuntimeParts } from '../runtime/parts.ts'
import { problem, type RuntimeProblem } from '../runtime/problem.ts'
import { seesRun } from '../runtime/scope.ts'
import type { RunRow } from '../store/store.ts'

/** Who calls a tool of ours, and what is known of where it stands. */
export interface ToolCaller {
  readonly guard: Guard
  readonly parts: RuntimeParts
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
  const { parts, caller, session } = from
  const found = await whichRun(parts, caller, runRefOf(from, run))
  if (!found.ok) return found
  if (found.value !== undefined) return ok(found.value)
  const ended = await lastRun(from)
  const none = session === undefined ? 'No run is active.' : 'This session has no run.'
  // An agent that waited for a person learns so that it was the end of its run.
  const message = ended === undefined ? none : `${none} ${howItEnded(ended)}`
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

/** The run that the caller's session or connection had last. */
async function lastRun({ parts, caller, session, connection }: ToolCaller) {
  if (session !== undefined) {
    for (const key of await parts.sessions.keysOf(caller, session)) {
      const row = await parts.store.runs.newestOfSession(key)
      if (row !== undefined && seesRun(caller, row)) return row
    }
    return undefined
  }
  const key = connection === undefined ? undefined : keyOfConnection(caller, connection)
  const run = key === undefined ? undefined : await parts.sessions.runOfConnection(key)
  const live = run === undefined ? undefined : await parts.live.get(run)
  return live !== undefined && seesRun(caller, live.row) ? live.row : undefined
}

function howItEnded({ workflow, status, state }: RunRow): string {
  return `Its run of ${workflow} ended as ${status} in ${state}.`
}

import { err, ok, type Result } from '@statewright/core'
import { type Caller, peoplesSessionKey, sessionKey } from './caller.ts'
import type { LiveRun } from './live-runs.ts'
import type { RuntimeParts } from './parts.ts'
import { problem, type RuntimeProblem } from './problem.ts'
import { isUnfinished } from './session-index.ts'

/** Names a run: by its id, or by the client session it belongs to. */
export interface RunRef {
  readonly run?: string
  readonly session?: string
}

/** Finds a run that the caller may see; a run of somebody else is as good as none. */
export async function findRun(
  parts: RuntimeParts,
  caller: Caller,
  ref: RunRef,
): Promise<Result<LiveRun, RuntimeProblem>> {
  if (ref.run !== undefined) {
    const live = await parts.live.get(ref.run)
    if (live !== undefined && maySee(caller, live) && isOfSession(caller, live)) return ok(live)
    return err(problem('unknown_run', `There is no run ${ref.run.slice(0, 100)}.`, noRun))
  }
  if (ref.session === undefined) {
    return err(problem('usage', 'The request names neither a run nor a session.', noRun))
  }
  const live = await activeOfSession(parts, caller, ref.session)
  if (live !== undefined) return ok(live)
  return err(problem('unknown_run', 'The session has no run that is not finished.', noRun))
}

const noRun = { next: 'list runs with `statewright run list`.' }

/** An agent sees the runs it started, and those that a person handed to it by id (PO-8). */
function maySee(caller: Caller, { row }: LiveRun): boolean {
  return caller.kind === 'person' || row.owner === caller.tokenId || row.owner.startsWith('person')
}

/** An agent that we started has to do with the runs of its session and with no others (SE-11). */
function isOfSession(caller: Caller, { row }: LiveRun): boolean {
  const { session } = caller
  if (session === undefined) return true
  return row.session === peoplesSessionKey(session) || row.session === sessionKey(caller, session)
}

/**
 * The newest run of a session that is not finished; a blocked one keeps speaking until a person
 * starts another. What a person started for the session comes before what the agent started.
 */
export async function activeOfSession(
  parts: RuntimeParts,
  caller: Caller,
  session: string,
): Promise<LiveRun | undefined> {
  const keys = [peoplesSessionKey(session), sessionKey(caller, session)]
  for (const key of new Set(keys)) {
    const runId = await parts.sessions.activeRun(key)
    if (runId === undefined) continue
    const live = await parts.live.get(runId)
    if (live !== undefined && isUnfinished(live.row.status)) return live
    // It ended since it was looked up, here or on another node.
    parts.sessions.forget(key)
    const again = await parts.sessions.activeRun(key)
    if (again !== undefined) return parts.live.get(again)
  }
  return undefined
}

import { err, isUnfinishedStatus, ok, type Result } from '@statewright/core/internal'
import { type Caller, connectionKey } from '../../base/caller.ts'
import { problem, type RuntimeProblem } from '../../base/problem.ts'
import type { LiveRun } from '../live-runs.ts'
import type { Runtime } from '../runtime.ts'
import { seenRun } from './scope.ts'

/** Names a run: by its id, or by the client session or the connection it belongs to. */
export interface RunRef {
  readonly run?: string
  readonly session?: string
  readonly connection?: ConnectionRef
}

/** What tells one MCP connection of a token from another, where nothing names a session. */
export interface ConnectionRef {
  /** Its key, where the protocol or our own bridge gives it a name. */
  readonly key?: string | undefined
  /** The process at the other end, costly to find out; undefined where none is seen. */
  readonly process: () => string | undefined
}

/** The key of a connection, by its process where it has no name. */
export function keyOfConnection(
  caller: Caller,
  { key, process }: ConnectionRef,
): string | undefined {
  if (key !== undefined) return key
  const found = process()
  return found === undefined ? undefined : connectionKey(caller, `process ${found}`)
}

/** Finds a run that the caller may see; a run of somebody else is as good as none. */
export async function findRun(
  runtime: Runtime,
  caller: Caller,
  ref: RunRef,
): Promise<Result<LiveRun, RuntimeProblem>> {
  if (ref.run !== undefined) {
    const live = await runtime.live.get(ref.run)
    const seen = live === undefined ? undefined : await seenRun(runtime, caller, live)
    if (seen !== undefined) return ok(seen)
    return err(problem('unknown_run', `There is no run ${ref.run.slice(0, 100)}.`, noRun))
  }
  if (ref.session === undefined) {
    return err(problem('usage', 'The request names neither a run nor a session.', noRun))
  }
  const live = await activeOfSession(runtime, caller, ref.session)
  if (live !== undefined) return ok(live)
  return err(problem('unknown_run', 'The session has no active run.', noRun))
}

const noRun = { next: 'list runs with `statewright run list`.' }

/**
 * The newest run of a session that is not finished; a blocked one keeps speaking until a person
 * starts another. What a person started for the session comes before what the agent started, and
 * is for the agent that announced the session first.
 */
export async function activeOfSession(
  runtime: Runtime,
  caller: Caller,
  session: string,
): Promise<LiveRun | undefined> {
  for (const key of await runtime.sessions.keysOf(caller, session)) {
    const live = await unfinishedOf(runtime, key)
    const seen = live === undefined ? undefined : await seenRun(runtime, caller, live)
    if (seen !== undefined) return seen
  }
  return undefined
}

async function unfinishedOf(runtime: Runtime, key: string): Promise<LiveRun | undefined> {
  const runId = await runtime.sessions.activeRun(key)
  if (runId === undefined) return undefined
  const live = await runtime.live.get(runId)
  if (live !== undefined && isUnfinishedStatus(live.row.status)) return live
  // It ended since it was looked up, here or on another node.
  runtime.sessions.forget(key)
  const again = await runtime.sessions.activeRun(key)
  return again === undefined ? undefined : runtime.live.get(again)
}

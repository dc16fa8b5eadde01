import { err, ok, type Result } from '@statewright/core'
import type { Caller } from '../runtime/caller.ts'
import { activeOfSession, findRun, type RunRef } from '../runtime/find-run.ts'
import type { LiveRun } from '../runtime/live-runs.ts'
import type { RuntimeParts } from '../runtime/parts.ts'
import { problem, type RuntimeProblem } from '../runtime/problem.ts'
import { unfinished } from '../runtime/session-index.ts'
import { startRun } from '../runtime/start-run.ts'
import type { RunRow } from '../store/store.ts'
import type { CallRequest } from './call-request.ts'

const maxListed = 20

/**
 * The run that a call belongs to: the one it names, else its session's, else the only one that its
 * token has. Between two it is never guessed: a transition of the wrong run cannot be taken back.
 * Undefined where there is none.
 */
export async function whichRun(
  runtime: RuntimeParts,
  caller: Caller,
  { run, session }: RunRef,
): Promise<Result<LiveRun | undefined, RuntimeProblem>> {
  if (run !== undefined) return findRun(runtime, caller, { run })
  if (session !== undefined) return ok(await activeOfSession(runtime, caller, session))
  const only = await runtime.sessions.onlyRunOf(caller.tokenId)
  if (only !== undefined) return findRun(runtime, caller, { run: only })
  const rows = await activeRows(runtime, caller)
  const [first, second] = rows
  if (first === undefined) return ok(undefined)
  if (second === undefined) return findRun(runtime, caller, { run: first.runId })
  const known = rows.map((row) => `${row.runId} (${row.workflow})`).join(', ')
  const message = 'Several runs are active, and the call does not say which one it means.'
  return err(problem('usage', message, { where: 'run', next: `name one of: ${known}.` }))
}

/** Starts the configured workflow for a session that has no run and never had one. */
export async function autostart(
  runtime: RuntimeParts,
  caller: Caller,
  request: Pick<CallRequest, 'project' | 'workspace'> & { readonly session: string },
): Promise<LiveRun | undefined> {
  const { workflow } = runtime.settings
  const { session, project, workspace } = request
  if (workflow === null) return undefined
  if (await runtime.sessions.hadRun(caller, session)) return undefined
  const started = await startRun(runtime, caller, {
    workflow,
    session,
    byConfig: true,
    ...(project === undefined ? {} : { project }),
    ...(workspace === undefined ? {} : { workspace }),
  })
  if (!started.ok) throw new Error(`the configured workflow cannot start: ${started.error.message}`)
  return started.value.live
}

/** Runs of the caller's token that are not finished, newest first. */
export async function activeRows(
  runtime: RuntimeParts,
  { tokenId: owner }: Caller,
): Promise<readonly RunRow[]> {
  const page = await runtime.store.runs.list({ owner, status: unfinished, limit: maxListed })
  return page.runs
}

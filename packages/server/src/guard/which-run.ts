import {
  err,
  isUnfinishedStatus,
  ok,
  type Result,
  unfinishedStatuses,
} from '@statewright/core/internal'
import type { Caller } from '../base/caller.ts'
import { problem, type RuntimeProblem } from '../base/problem.ts'
import type { LiveRun } from '../runtime/live-runs.ts'
import {
  activeOfSession,
  type ConnectionRef,
  findRun,
  keyOfConnection,
  type RunRef,
} from '../runtime/runs/find-run.ts'
import { seesRun } from '../runtime/runs/scope.ts'
import { startRun } from '../runtime/runs/start-run.ts'
import type { Runtime } from '../runtime/runtime.ts'
import type { RunRow } from '../store/store.ts'
import type { CallRequest } from './call-request.ts'

const maxListed = 20

/**
 * The run that a call belongs to: the one it names, else its session's, else the one that its
 * connection loaded, else the only one that its token has. Between two it is never guessed: a
 * transition of the wrong run cannot be taken back. Undefined where there is none.
 */
export async function whichRun(
  runtime: Runtime,
  caller: Caller,
  { run, session, connection }: RunRef,
): Promise<Result<LiveRun | undefined, RuntimeProblem>> {
  if (run !== undefined) return findRun(runtime, caller, { run })
  if (session !== undefined) return ok(await activeOfSession(runtime, caller, session))
  const loaded = await loadedBy(runtime, caller, connection?.key)
  // What it loaded has ended: it does not go on with what another connection works at.
  if (loaded !== undefined) return ok(isUnfinishedStatus(loaded.row.status) ? loaded : undefined)
  const only = await runtime.sessions.onlyRunOf(caller.tokenId)
  if (only !== undefined) return findRun(runtime, caller, { run: only })
  const rows = await activeRows(runtime, caller)
  const [first, second] = rows
  if (first === undefined) return ok(undefined)
  if (second === undefined) return findRun(runtime, caller, { run: first.runId })
  return amongSeveral(runtime, caller, rows, connection)
}

/** A connection without a name of its own is known by its process, where the kernel shows it. */
async function amongSeveral(
  runtime: Runtime,
  caller: Caller,
  rows: readonly RunRow[],
  connection: ConnectionRef | undefined,
): Promise<Result<LiveRun | undefined, RuntimeProblem>> {
  const key = connection === undefined ? undefined : keyOfConnection(caller, connection)
  const loaded = await loadedBy(runtime, caller, key)
  if (loaded !== undefined && isUnfinishedStatus(loaded.row.status)) return ok(loaded)
  const going = rows.filter(({ status }) => status !== 'paused')
  // One that ended blocked still denies, but what a person started since is what is worked at.
  const free = going.filter(({ status }) => status !== 'blocked')
  const [first, second] = free.length === 0 ? going : free
  if (first !== undefined && second === undefined) {
    return findRun(runtime, caller, { run: first.runId })
  }
  const known = rows.map((row) => `${row.runId} (${row.workflow})`).join(', ')
  const message = 'Several runs are active, and the call does not say which one it means.'
  return err(
    problem('usage', message, {
      where: 'run',
      next: `name one of them as "run" (for tools of other servers, "statewright_run"): ${known}.`,
    }),
  )
}

/** The run that a connection loaded, finished or not. */
async function loadedBy(
  runtime: Runtime,
  caller: Caller,
  key: string | undefined,
): Promise<LiveRun | undefined> {
  const run = key === undefined ? undefined : await runtime.sessions.runOfConnection(key)
  if (run === undefined) return undefined
  const found = await findRun(runtime, caller, { run })
  return found.ok ? found.value : undefined
}

/** Starts the configured workflow for a session that has no run and never had one. */
export async function autostart(
  runtime: Runtime,
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

/** Runs that the caller sees and that are not finished, newest first. */
export async function activeRows(runtime: Runtime, caller: Caller): Promise<readonly RunRow[]> {
  const filter = { seenBy: caller.tokenId, status: unfinishedStatuses, limit: maxListed }
  const page = await runtime.store.runs.list(filter)
  return page.runs.filter((row) => seesRun(caller, row))
}

/**
 * The last run of a session, of a connection or of an agent's token, where it has ended: until the
 * next one begins its policy still holds, or nothing may be used at all (WF-15a).
 */
export async function endedRun(
  runtime: Runtime,
  caller: Caller,
  { session, connection }: RunRef,
): Promise<LiveRun | undefined> {
  if (session === undefined) {
    const loaded = await loadedBy(runtime, caller, connection?.key)
    if (loaded !== undefined) return isUnfinishedStatus(loaded.row.status) ? undefined : loaded
    if (caller.kind !== 'agent') return undefined
    return ended(runtime, caller, [await runtime.sessions.lastRunOf(caller.tokenId)])
  }
  const keys = await runtime.sessions.keysOf(caller, session)
  return ended(runtime, caller, await Promise.all(keys.map((key) => runtime.sessions.lastRun(key))))
}

async function ended(
  runtime: Runtime,
  caller: Caller,
  rows: readonly (RunRow | undefined)[],
): Promise<LiveRun | undefined> {
  const seen = rows.filter((row) => row !== undefined && seesRun(caller, row))
  const [last] = seen.toSorted((one, other) => (other?.createdAt ?? 0) - (one?.createdAt ?? 0))
  if (last === undefined || isUnfinishedStatus(last.status)) return undefined
  return runtime.live.get(last.runId)
}

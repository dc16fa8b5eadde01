import {
  err,
  hasEnded,
  lanesOf,
  ok,
  phrase,
  type Result,
  type RunSnapshot,
  type RunStatus,
} from '@statewright/core/internal'
import { actorOf, type Caller, sessionKey } from '../../base/caller.ts'
import { problem, type RuntimeProblem, refusalProblem } from '../../base/problem.ts'
import type { RunRow } from '../../store/store.ts'
import { blockedProblem } from '../blocks/blocked.ts'
import { dispatch } from '../dispatch.ts'
import type { LiveRun } from '../live-runs.ts'
import type { Runtime } from '../runtime.ts'
import { activeOfSession } from './find-run.ts'
import { seenBy } from './scope.ts'

/** Where a run is taken up: in a client session, or else on a connection. */
export interface ClientLink {
  readonly session?: string
  readonly connection?: string | undefined
}

export interface TakenUp {
  readonly live: LiveRun
  readonly resumed: true
}

/**
 * Takes a run up again: one that is paused, or one whose session ended without pausing it. One
 * that another session works at stays there.
 */
export async function takeUpRun(
  runtime: Runtime,
  caller: Caller,
  { row }: LiveRun,
  link: ClientLink,
): Promise<Result<TakenUp, RuntimeProblem>> {
  const held = caller.kind === 'person' ? null : await lockedElsewhere(runtime, caller, link, row)
  if (held !== null) return err(held)
  if (isElsewhere(runtime, caller, row, link)) {
    const message = 'Another session is working on this run.'
    return err(
      problem('locked', message, { next: 'let that session pause the run, or start another run.' }),
    )
  }
  const live = await resumed(runtime, caller, row)
  if (!live.ok) return live
  return ok({ live: await moveTo(runtime, caller, live.value, link), resumed: true })
}

const goingOn: readonly RunStatus[] = ['running', 'waiting']

async function resumed(
  runtime: Runtime,
  caller: Caller,
  { runId, status }: RunRow,
): Promise<Result<LiveRun, RuntimeProblem>> {
  if (goingOn.includes(status)) {
    const live = await runtime.live.get(runId)
    if (live !== undefined) return ok(live)
  }
  const done = await dispatch(runtime, runId, () => ({
    event: { type: 'resumed', at: runtime.clock.now(), by: actorOf(caller) },
    extras: { role: caller.role },
  }))
  if (done === undefined) return err(problem('unknown_run', 'The run no longer exists.'))
  if (done.step.refusal !== undefined) return err(refusalProblem(done.step.refusal))
  return ok(done.live)
}

/** Only a client session may lose its guard: a connection falls back on what its token has. */
function isElsewhere(runtime: Runtime, caller: Caller, row: RunRow, link: ClientLink): boolean {
  if (row.session === null || !goingOn.includes(row.status)) return false
  if (link.session !== undefined && row.session === sessionKey(caller, link.session)) return false
  return runtime.atWork.has(row.session)
}

const maxLooked = 50

/** The newest run of a workflow in a project that waits for its agent: paused, else left behind. */
export async function newestLeft(
  runtime: Runtime,
  caller: Caller,
  request: ClientLink & { readonly workflow?: string; readonly project?: string },
): Promise<LiveRun | undefined> {
  const of = {
    workflow: request.workflow ?? '',
    project: request.project ?? null,
    limit: maxLooked,
    ...seenBy(caller),
  }
  const [paused] = await runtime.store.runs.ofWorkflow({ ...of, status: ['paused'] })
  if (paused !== undefined) return runtime.live.get(paused.runId)
  // A person sees the runs of all agents; which of them was left nobody can say.
  if (caller.kind === 'person') return undefined
  const rows = await runtime.store.runs.ofWorkflow({ ...of, status: goingOn })
  const left = rows.find((row) => !isWorkedAt(runtime, row))
  return left === undefined ? undefined : runtime.live.get(left.runId)
}

function isWorkedAt({ atWork }: Runtime, { session, connection }: RunRow): boolean {
  return [session, connection].some((key) => key !== null && atWork.has(key))
}

/** What keeps an agent from another run than the one it has. */
export async function lockedElsewhere(
  runtime: Runtime,
  caller: Caller,
  { session }: ClientLink,
  wanted?: RunRow,
): Promise<RuntimeProblem | null> {
  const block = await runtime.sessions.blockOf(caller.tokenId)
  if (block !== undefined && block.runId !== wanted?.runId) return blockedProblem(block.workflow)
  if (session === undefined) return null
  const active = await activeOfSession(runtime, caller, session)
  if (active === undefined || active.row.runId === wanted?.runId) return null
  if (active.snapshot.status === 'blocked') return blockedProblem(active.row.workflow)
  if (hasEnded(active.snapshot.status) || !holdsAgents(active.snapshot)) return null
  const message = `A run of ${active.row.workflow} guards this session.`
  return problem('locked', message, { next: 'ask a person to stop it or to start another.' })
}

/** Another run would slip past a lock, a pause or a question to a person (WF-27, PR-4). */
export function holdsAgents(run: RunSnapshot): boolean {
  const waits = lanesOf(run).some(({ approval }) => approval?.kind === 'checkpoint')
  return run.settings.locked || run.held === true || waits
}

async function moveTo(
  runtime: Runtime,
  caller: Caller,
  live: LiveRun,
  { session, connection }: ClientLink,
): Promise<LiveRun> {
  if (session !== undefined) return takeOver(runtime, caller, live, session)
  return connection === undefined ? live : bindConnection(runtime, live, connection)
}

/**
 * A run goes on in the client session that resumed it. What the configuration had started there
 * meanwhile ends: it is the newer one, and would speak for the session instead.
 */
async function takeOver(
  runtime: Runtime,
  caller: Caller,
  live: LiveRun,
  session: string,
): Promise<LiveRun> {
  const { runId } = live.row
  const key = sessionKey(caller, session)
  const other = await activeOfSession(runtime, caller, session)
  if (other?.row.runId === runId) return live
  if (other !== undefined) {
    const reason = phrase('resumed_instead', { run: runId })
    await dispatch(runtime, other.row.runId, () => ({
      event: { type: 'stopped', at: runtime.clock.now(), by: actorOf(caller), reason },
      extras: { role: caller.role },
    }))
  }
  await runtime.store.runs.moveToSession(runId, key)
  runtime.sessions.forget(live.row.session)
  runtime.sessions.forget(key)
  const moved = { ...live, row: { ...live.row, session: key } }
  runtime.live.put(moved)
  return moved
}

/** From now on the connection means this run. */
export async function bindConnection(
  runtime: Runtime,
  { row: { runId } }: LiveRun,
  connection: string,
): Promise<LiveRun> {
  await runtime.store.runs.bindConnection(runId, connection)
  runtime.sessions.forgetConnection(connection)
  const live = await runtime.live.get(runId)
  if (live === undefined) throw new Error('bug: a run that was just started is gone')
  const bound = { ...live, row: { ...live.row, connection } }
  runtime.live.put(bound)
  return bound
}

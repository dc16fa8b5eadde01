import { dirname, isAbsolute, resolve } from 'node:path'
import { err, ok, type Result } from '@statewright/core/internal'
import { type Caller, keyIn, peoplesSessionKey, sessionKey } from '../../base/caller.ts'
import { realOf } from '../../base/looks.ts'
import { problem, type RuntimeProblem } from '../../base/problem.ts'
import type { RunRow } from '../../store/store.ts'
import type { LiveRun } from '../live-runs.ts'
import type { Runtime } from '../runtime.ts'

/**
 * What a token sees (PO-8). Routes, MCP tools, the feed, exports and sessions all ask here: an
 * agent has to do with the runs that it started or was handed, and with the memory and tasks of
 * their projects. What it does not see is to it as good as not there.
 */
export function seesRun(caller: Caller, row: RunRow): boolean {
  if (caller.kind === 'person') return true
  if (caller.session !== undefined) return isOfSession(caller, caller.session, row)
  return row.owner === caller.tokenId || row.agent === caller.tokenId
}

/** The same, of a run that the caller did not name: nothing is handed to it by the question. */
export async function seesRunOf(
  { live }: Runtime,
  caller: Caller,
  runId: string,
): Promise<boolean> {
  if (caller.kind === 'person') return true
  const row = (await live.get(runId))?.row
  return row !== undefined && seesRun(caller, row)
}

/** The filter of a list by which an agent gets no more than it sees. */
export function seenBy({ kind, tokenId }: Caller): { readonly seenBy?: string } {
  return kind === 'person' ? {} : { seenBy: tokenId }
}

/** An agent session is seen by people, and by the token that started it. */
export function seesSession(caller: Caller, row: { readonly owner: string }): boolean {
  return caller.kind === 'person' || row.owner === caller.tokenId
}

/** An agent that we started has to do with the runs of its session and with no others (SE-11). */
function isOfSession(caller: Caller, session: string, row: RunRow): boolean {
  return row.session === peoplesSessionKey(session) || row.session === sessionKey(caller, session)
}

/**
 * The run, where the caller sees it. A person's run that nobody has yet is handed to the first
 * agent that knows its id, which only a person can have told; from then on no other one sees it.
 */
export async function seenRun(
  runtime: Runtime,
  caller: Caller,
  live: LiveRun,
): Promise<LiveRun | undefined> {
  const { row } = live
  if (seesRun(caller, row)) return live
  if (caller.session !== undefined || !isPersons(row) || row.agent !== null) return undefined
  if (row.session !== null && !(await runtime.sessions.isOpenTo(row.session, caller))) {
    return undefined
  }
  return handTo(runtime, caller.tokenId, live)
}

/** Hands a person's run to an agent; undefined where another one was faster. */
export async function handTo(
  runtime: Runtime,
  tokenId: string,
  live: LiveRun,
): Promise<LiveRun | undefined> {
  const { runId } = live.row
  const agent = await runtime.store.runs.bindAgent(runId, tokenId)
  // It may have moved on meanwhile: only the one fact is written over.
  const now = (await runtime.live.get(runId)) ?? live
  const handed = { ...now, row: { ...now.row, agent } }
  runtime.live.put(handed)
  if (agent !== tokenId) return undefined
  runtime.sessions.forgetOnly(tokenId)
  await openProjectsOf(runtime, tokenId, handed.row)
  return handed
}

function isPersons({ owner }: RunRow): boolean {
  return owner.startsWith('person')
}

/**
 * Whether a session that a connection only names is the caller's: announced by its client hooks,
 * or with a run that is its own. Else anybody could say so to get away from the runs it has.
 */
export async function speaksFor(
  { sessions, store }: Runtime,
  caller: Caller,
  session: string,
): Promise<boolean> {
  if (caller.session === session || caller.kind === 'person') return true
  if (await sessions.isAnnouncedBy(session, caller)) return true
  if ((await store.runs.newestOfSession(sessionKey(caller, session))) !== undefined) return true
  const key = peoplesSessionKey(session)
  if (!(await sessions.isOpenTo(key, caller))) return false
  return (await store.runs.newestOfSession(key)) !== undefined
}

/**
 * Whether memory and tasks of a project are the caller's: it works there by what a person, the
 * configuration or its client said. What an agent says of itself opens no project.
 */
export async function seesProject(
  runtime: Runtime,
  caller: Caller,
  project: string,
): Promise<boolean> {
  if (caller.kind === 'person' || project === runtime.settings.project) return true
  return (await runtime.store.settings.get(projectMark(caller.tokenId, project))) !== undefined
}

/**
 * The folder that a caller's calls work in, with its links followed. It is what their commands may
 * change: an agent may name one only in a project that is open to it, and by a path that means the
 * same folder later on.
 */
export async function workFolder(
  runtime: Runtime,
  caller: Caller,
  folder: string | undefined,
): Promise<Result<string | undefined, RuntimeProblem>> {
  // A server that works for no project has nothing to compare it with.
  const isFree = caller.kind === 'person' || runtime.settings.project === null
  if (folder === undefined || isFree) return ok(folder)
  const real = isAbsolute(folder) ? realOf(resolve(folder)) : '/'
  for (let at = real; at !== dirname(at); at = dirname(at)) {
    if (await seesProject(runtime, caller, at)) return ok(real)
  }
  const message = 'This agent may not work outside of the projects of its token.'
  const next = 'leave out "workspace", or ask a person for a token with --project.'
  return err(problem('locked', message, { where: 'workspace', next }))
}

/** From now on the token works where that run does. */
export async function openProjectsOf(
  runtime: Runtime,
  tokenId: string,
  { project, workspace }: Pick<RunRow, 'project' | 'workspace'>,
): Promise<void> {
  for (const folder of new Set([project, workspace])) {
    if (folder !== null) await openProject(runtime, tokenId, folder)
  }
}

/** From now on the token works in that project. */
export async function openProject(
  runtime: Runtime,
  tokenId: string,
  project: string,
): Promise<void> {
  await runtime.store.settings.swap(projectMark(tokenId, project), undefined, 'open')
}

function projectMark(tokenId: string, project: string): string {
  return `project.${keyIn(tokenId, project)}`
}

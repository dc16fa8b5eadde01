import { type Caller, peoplesSessionKey, sessionKey } from '../../base/caller.ts'
import type { Runtime } from '../runtime.ts'

/**
 * Whose session budgets a run draws on (PR-9c). All runs that an agent starts in a session of its
 * client share them, and else all that its token starts: neither another run nor a session that
 * only the agent speaks of is a fresh allowance. A person who starts one gives a new one, as with
 * a block (PR-4a).
 */
export async function budgetFor(
  { store, sessions }: Pick<Runtime, 'store' | 'sessions'>,
  caller: Caller,
  run: { readonly runId: string; readonly workflow: string; readonly session?: string | undefined },
): Promise<string> {
  if (caller.kind === 'person') return run.runId
  const { session } = run
  if (session !== undefined) {
    const given = await store.runs.newestOfSession(peoplesSessionKey(session))
    if (given !== undefined) return given.runId
    const isReported = caller.kind === 'hook' || (await sessions.isOfClient(caller, session))
    if (isReported) return sessionKey(caller, session)
  }
  const given = await store.runs.newestOfPeople(run.workflow)
  return given === undefined ? caller.tokenId : `${caller.tokenId}:${given.runId}`
}

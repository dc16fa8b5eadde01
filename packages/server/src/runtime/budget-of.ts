import { type Caller, peoplesSessionKey, sessionKey } from './caller.ts'
import type { RuntimeParts } from './parts.ts'

/**
 * Whose session budgets a run draws on (PR-9c). All runs that an agent starts in a session share
 * them, and without a session all that its token starts: another run is no fresh allowance. A
 * person who starts one gives a new one, as with a block (PR-4a).
 */
export async function budgetFor(
  { store }: Pick<RuntimeParts, 'store'>,
  caller: Caller,
  run: { readonly runId: string; readonly workflow: string; readonly session?: string | undefined },
): Promise<string> {
  if (caller.kind === 'person') return run.runId
  const { session } = run
  if (session !== undefined) {
    const given = await store.runs.newestOfSession(peoplesSessionKey(session))
    return given?.runId ?? sessionKey(caller, session)
  }
  const { runs } = await store.runs.list({ workflow: run.workflow, limit: lookedAt })
  const given = runs.find((row) => row.owner.startsWith('person'))
  return given === undefined ? caller.tokenId : `${caller.tokenId}:${given.runId}`
}

const lookedAt = 100

import { ok, type Result } from '@statewright/core/internal'
import { endpoints, type NewSessions, type Trust } from '@statewright/core/wire'
import type { Client, ServerProblem } from '../api/client.ts'

/** What holds a client session that begins now, as the server tells it. */
export async function askNewSessions(server: Client): Promise<Result<NewSessions, ServerProblem>> {
  const trust = await server.call(endpoints.getTrust, {})
  return trust.ok ? ok(trust.value.new_sessions) : trust
}

/** Runs that their own agents paused, so that nothing of them is enforced. */
export async function askUnguarded(
  server: Client,
): Promise<Result<Trust['unguarded'], ServerProblem>> {
  const trust = await server.call(endpoints.getTrust, {})
  return trust.ok ? ok(trust.value.unguarded) : trust
}

/** Whether a forbidden call of a new session would be denied by rules: only that is green. */
export function isGuarded({ guard }: NewSessions): boolean {
  return guard !== 'open' && guard !== 'broken'
}

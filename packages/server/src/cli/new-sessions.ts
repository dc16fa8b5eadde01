import type { Result } from '@statewright/core'
import { z } from 'zod'
import type { Client, ServerProblem } from './client.ts'

/** What holds a client session that begins now, as the server tells it. */
export const NewSessions = z.looseObject({
  guard: z.enum(['workflow', 'closed', 'policies', 'open', 'broken']),
  sentence: z.string(),
  next: z.string().nullable(),
})
export type NewSessions = z.infer<typeof NewSessions>

const Trust = z.looseObject({ new_sessions: NewSessions })

export async function askNewSessions(server: Client): Promise<Result<NewSessions, ServerProblem>> {
  const trust = await server.ask({ path: '/api/trust' }, Trust)
  return trust.ok ? { ok: true, value: trust.value.new_sessions } : trust
}

const Pauses = z.looseObject({
  unguarded: z.array(z.object({ run_id: z.string(), workflow: z.string() })).default([]),
})

/** Runs that their own agents paused, so that nothing of them is enforced. */
export async function askUnguarded(
  server: Client,
): Promise<Result<z.infer<typeof Pauses>['unguarded'], ServerProblem>> {
  const trust = await server.ask({ path: '/api/trust' }, Pauses)
  return trust.ok ? { ok: true, value: trust.value.unguarded } : trust
}

/** Whether a forbidden call of a new session would be denied by rules: only that is green. */
export function isGuarded({ guard }: NewSessions): boolean {
  return guard !== 'open' && guard !== 'broken'
}

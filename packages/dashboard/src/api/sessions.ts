import type { AgentError, AgentMessage, AgentStateKind } from '@statewright/core'
import { queryOptions } from '@tanstack/react-query'
import { ask, segment } from './client.ts'

export interface SessionLine {
  readonly sessionId: string
  readonly kind: AgentStateKind
  readonly harness: string
  readonly projectPath: string
  readonly workflow: string | null
  readonly runId: string | null
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly costUsd: number
  readonly lastError: AgentError | null
}

export type Retry = { readonly kind: 'tool' | 'hook'; readonly runId: string }

/** A session as it stands: what was said, and what may be run again right now. */
export interface SessionNow extends SessionLine {
  readonly conversation: readonly AgentMessage[]
  readonly retries: readonly Retry[]
  /** In `error`: when it tries again by itself. */
  readonly retryAtMs?: number | null
  readonly lastEventId: string
}

const mostSessions = 500
/** Sessions do not pass through the feed of runs, so that their list is asked for by the clock. */
const listEveryMs = 2000

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  staleTime: 0,
  refetchInterval: listEveryMs,
  queryFn: async ({ signal }) => {
    const query = { limit: mostSessions }
    const answer = await ask<{ sessions: SessionLine[] }>('GET', '/api/sessions', { query, signal })
    return answer.sessions
  },
})

export function sessionQuery(sessionId: string) {
  return queryOptions({
    queryKey: ['session', sessionId],
    staleTime: 0,
    queryFn: ({ signal }) => ask<SessionNow>('GET', sessionPath(sessionId), { signal }),
  })
}

/** A path below a session, with whatever its id holds kept in one piece. */
export function sessionPath(sessionId: string, rest = ''): string {
  return `/api/sessions/${segment(sessionId)}${rest}`
}

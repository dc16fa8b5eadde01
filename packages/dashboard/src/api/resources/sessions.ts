import { endpoints, type Session } from '@statewright/core/wire'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../client/client.ts'

/** A run that may be run again. */
export type Retry = Extract<Session['retries'][number], { readonly runId: string }>

const maxSessions = 500
/** Sessions do not pass through the feed of runs, so that their list is asked for by the clock. */
const listEveryMs = 2000
/** Nothing is sent by a session that has stopped; whether somebody resumed it is asked for. */
const stoppedEveryMs = 5000

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  staleTime: 0,
  refetchInterval: listEveryMs,
  queryFn: async ({ signal }) => {
    const query = { limit: maxSessions }
    return (await call(endpoints.listSessions, { query, signal })).sessions
  },
})

export function sessionQuery(sessionId: string) {
  return queryOptions<Session, Error, Session, readonly [string, string]>({
    queryKey: ['session', sessionId],
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.kind === 'stopped' ? stoppedEveryMs : false),
    queryFn: ({ signal }) => call(endpoints.getSession, { params: { id: sessionId }, signal }),
  })
}

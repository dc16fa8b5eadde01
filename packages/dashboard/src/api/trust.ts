import { endpoints } from '@statewright/core/wire'
import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'

/** How far this server can be relied on now. */
export const trustQuery = queryOptions({
  queryKey: ['trust'],
  // No entry tells of a switched mode where no run is live: a page that still says "enforcing"
  // when nothing is denied any more would be the worst place to save a question.
  refetchInterval: 20_000,
  refetchOnWindowFocus: 'always',
  queryFn: ({ signal }) => call(endpoints.getTrust, { signal }),
})

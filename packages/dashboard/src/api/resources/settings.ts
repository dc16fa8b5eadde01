import { endpoints } from '@statewright/core/wire'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../client/client.ts'

export const modeQuery = queryOptions({
  queryKey: ['mode'],
  staleTime: 0,
  queryFn: ({ signal }) => call(endpoints.getMode, { signal }),
})

export const configQuery = queryOptions({
  queryKey: ['config'],
  // Parts of one page that come one after the other ask once.
  staleTime: 5000,
  // Nothing in the feed tells of a file that was changed.
  refetchInterval: 20_000,
  queryFn: ({ signal }) => call(endpoints.getConfig, { signal }),
})

export const clientsQuery = queryOptions({
  queryKey: ['clients'],
  staleTime: 0,
  queryFn: ({ signal }) => call(endpoints.listClients, { signal }),
})

export const serverQuery = queryOptions({
  queryKey: ['server'],
  staleTime: 0,
  queryFn: ({ signal }) => call(endpoints.getServer, { signal }),
})

export const tokensQuery = queryOptions({
  queryKey: ['tokens'],
  staleTime: 0,
  queryFn: async ({ signal }) => (await call(endpoints.listTokens, { signal })).tokens,
})

/** How far this server can be relied on now. */
export const trustQuery = queryOptions({
  queryKey: ['trust'],
  // No entry tells of a switched mode where no run is live: a page that still says "enforcing"
  // when nothing is denied any more would be the worst place to save a question.
  refetchInterval: 20_000,
  refetchOnWindowFocus: 'always',
  queryFn: ({ signal }) => call(endpoints.getTrust, { signal }),
})

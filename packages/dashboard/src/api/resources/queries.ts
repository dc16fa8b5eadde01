import { endpoints, type RunLine } from '@statewright/core/wire'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type RunFilters, runSpans } from '../../model/runs/run-filters.ts'
import { call } from '../client/client.ts'

/** What the pages ask for, with the keys under which the feed says that it changed. */

const pageOfRuns = 500

export const waitingQuery = queryOptions({
  queryKey: ['approvals', 'waiting'],
  queryFn: async ({ signal }) => {
    const query = { status: 'waiting', limit: 500 } as const
    return (await call(endpoints.listApprovals, { query, signal })).approvals
  },
})

/** What was answered last, whatever waits beside it. */
export const answeredQuery = queryOptions({
  queryKey: ['approvals', 'answered'],
  queryFn: async ({ signal }) => {
    const query = { order: 'resolved', limit: 15 } as const
    return (await call(endpoints.listApprovals, { query, signal })).approvals
  },
})

export function runsQuery(filters: RunFilters) {
  return infiniteQueryOptions({
    queryKey: ['runs', filters],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const { status, workflow, project, search, span } = filters
      return call(endpoints.listRuns, {
        query: {
          limit: pageOfRuns,
          status: status.length === 0 ? undefined : status,
          workflow: workflow || undefined,
          project: project || undefined,
          search: search.trim() || undefined,
          since: span === '' ? undefined : Date.now() - runSpans[span],
          cursor: pageParam || undefined,
        },
        signal,
      })
    },
    getNextPageParam: (page) => page.next,
  })
}

/** The newest runs that hold the words, for anyone who types them. */
export function foundRunsQuery(search: string) {
  return queryOptions({
    queryKey: ['found runs', search],
    enabled: search.length >= 2,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await call(endpoints.listRuns, { query: { search, limit: 8 }, signal })).runs,
  })
}

/** Rows of some runs as they stand now. */
export async function rowsOf(ids: readonly string[]): Promise<readonly RunLine[]> {
  return (await call(endpoints.listRuns, { query: { ids } })).runs
}

/** The rows of many runs in a few requests, however many of them wait for something. */
export function runsOfQuery(ids: readonly string[]) {
  const requested = [...new Set(ids)].sort()
  return queryOptions({
    queryKey: ['approvals', 'runs', requested],
    enabled: requested.length > 0,
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const pages = []
      for (let at = 0; at < requested.length; at += 100) {
        pages.push(rowsOf(requested.slice(at, at + 100)))
      }
      return (await Promise.all(pages)).flat()
    },
  })
}

export function runQuery(id: string) {
  return queryOptions({
    queryKey: ['run', id, 'now'],
    queryFn: ({ signal }) => call(endpoints.getRun, { params: { id }, signal }),
  })
}

export const stuckQuery = queryOptions({
  queryKey: ['stuck'],
  queryFn: async ({ signal }) => (await call(endpoints.listStuckRuns, { signal })).runs,
})

export const usageQuery = queryOptions({
  queryKey: ['usage'],
  queryFn: ({ signal }) => call(endpoints.getUsage, { signal }),
})

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => call(endpoints.getMe, { signal }),
})

/** How people log in here. */
export const loginQuery = queryOptions({
  queryKey: ['login'],
  queryFn: ({ signal }) => call(endpoints.getLoginWay, { signal }),
})

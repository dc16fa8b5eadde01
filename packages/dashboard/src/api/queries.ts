import { endpoints } from '@statewright/core/wire'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { RunFilters } from '../model/run-filters.ts'
import { ask, call, segment } from './client.ts'
import type { Approval, ApprovalStatus, RunNow, RunPage, RunRow, StuckRun } from './types.ts'

/** What the pages ask for, with the keys under which the feed says that it changed. */

export const pageOfRuns = 500

export function approvalsQuery(status: ApprovalStatus | 'any') {
  return queryOptions({
    queryKey: ['approvals', status],
    queryFn: async ({ signal }) => {
      const query = {
        limit: status === 'waiting' ? 500 : 50,
        ...(status === 'any' ? {} : { status }),
      }
      const answer = await ask<{ approvals: Approval[] }>('GET', '/api/approvals', {
        query,
        signal,
      })
      return answer.approvals
    },
  })
}

export function runsQuery(filters: RunFilters) {
  return infiniteQueryOptions({
    queryKey: ['runs', filters],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const { status, workflow, project } = filters
      return ask<RunPage>('GET', '/api/runs', {
        query: {
          limit: pageOfRuns,
          status: status.length === 0 ? undefined : status.join(','),
          workflow: workflow || undefined,
          project: project || undefined,
          cursor: pageParam || undefined,
        },
        signal,
      })
    },
    getNextPageParam: (page) => page.next,
  })
}

/** Rows of some runs as they stand now. */
export async function rowsOf(ids: readonly string[]): Promise<readonly RunRow[]> {
  const query = { ids: ids.join(',') }
  return (await ask<RunPage>('GET', '/api/runs', { query })).runs
}

export function runQuery(runId: string) {
  return queryOptions({
    queryKey: ['run', runId, 'now'],
    queryFn: ({ signal }) => ask<RunNow>('GET', `/api/runs/${segment(runId)}`, { signal }),
  })
}

export const stuckQuery = queryOptions({
  queryKey: ['stuck'],
  queryFn: async ({ signal }) => {
    const answer = await ask<{ runs: StuckRun[] }>('GET', '/api/stuck', { signal })
    return answer.runs
  },
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
  queryFn: ({ signal }) => ask<{ provider: string | null }>('GET', '/api/login', { signal }),
})

import { endpoints } from '@statewright/core/wire'
import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'

export const policiesQuery = queryOptions({
  queryKey: ['policies'],
  staleTime: 0,
  queryFn: ({ signal }) => call(endpoints.listPolicies, { signal }),
})

export function policyVersionsQuery(name: string) {
  return queryOptions({
    queryKey: ['policies', 'versions', name],
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const answer = await call(endpoints.listPolicyVersions, { params: { name }, signal })
      return answer.versions
    },
  })
}

/** An allowed call uses up a rate without a word in the feed about it, so the clock asks. */
const usageEveryMs = 5000

export const policyUsageQuery = queryOptions({
  queryKey: ['usage', 'policies'],
  staleTime: 0,
  refetchInterval: usageEveryMs,
  queryFn: ({ signal }) => call(endpoints.getUsage, { query: { hours: 48, days: 31 }, signal }),
})

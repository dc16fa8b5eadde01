import { endpoints } from '@statewright/core/wire'
import { queryOptions } from '@tanstack/react-query'
import type { AttachedPolicy, DefinedPolicy, PolicyVersion } from '../model/policy-shape.ts'
import { ask, call, segment } from './client.ts'

export const policiesQuery = queryOptions({
  queryKey: ['policies'],
  staleTime: 0,
  queryFn: ({ signal }) =>
    ask<{ policies: AttachedPolicy[]; definitions?: DefinedPolicy[] }>('GET', '/api/policies', {
      signal,
    }),
})

export function policyVersionsQuery(name: string) {
  return queryOptions({
    queryKey: ['policies', 'versions', name],
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const path = `/api/policies/${segment(name)}/versions`
      const { versions } = await ask<{ versions: PolicyVersion[] }>('GET', path, { signal })
      return versions
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

import { MutationCache, QueryCache, QueryClient, useQueryClient } from '@tanstack/react-query'
import { problemOf } from './problem.ts'

/**
 * What the server said last. Nothing is asked again by the clock: the feed says when something
 * changed, and a refusal is not tried again, since the answer would be the same.
 */
export function createQueryClient(): QueryClient {
  // Anyone who is no longer logged in is led to the login, whatever was asked for.
  const onError = (fault: unknown) => {
    if (problemOf(fault).status === 401) void askWhoIsHere(client)
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        // A server that restarts is away for a moment; everything else is its last word.
        retry: (count, fault) => count < 8 && problemOf(fault).status === 0,
        retryDelay: (count) => Math.min(2000, 200 * 2 ** count),
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  })
  return client
}

/** An answer that is on its way may have left while the login still counted: first it comes. */
async function askWhoIsHere(client: QueryClient): Promise<void> {
  const query = client.getQueryCache().find({ queryKey: ['me'] })
  if (query === undefined) return
  if (query.state.fetchStatus === 'fetching') await query.fetch().catch(() => undefined)
  const { status, fetchStatus } = query.state
  // Refused as well, or asked again by what was refused at the same time.
  if (status !== 'success' || fetchStatus === 'fetching') return
  await client.invalidateQueries({ queryKey: ['me'] })
}

/** Reads again what a change may have touched, by the start of its key; everything if left out. */
export function useRefresh(key?: readonly string[]): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries(key && { queryKey: key })
}

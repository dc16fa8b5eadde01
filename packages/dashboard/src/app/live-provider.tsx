import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { type FeedState, openFeed } from '../api/feed/feed.ts'
import { LiveCache } from '../api/feed/live.ts'
import { FeedStateContext } from '../ui/page/feed-state.ts'

/** Keeps what the pages show as new as the feed. */
export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient()
  const [state, setState] = useState<FeedState>('connecting')
  useEffect(() => {
    const cache = new LiveCache(client)
    const close = openFeed({
      onEntry: (entry) => cache.entry(entry),
      onGap: () => cache.gap(),
      onState: setState,
    })
    return () => {
      close()
      cache.close()
    }
  }, [client])
  return <FeedStateContext.Provider value={state}>{children}</FeedStateContext.Provider>
}

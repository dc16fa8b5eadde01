import { createContext, useContext } from 'react'
import type { FeedState } from '../../api/feed/feed.ts'

/** Whether the server can be heard, for whatever shows what holds now. */
export const FeedStateContext = createContext<FeedState>('connecting')

export function useFeedState(): FeedState {
  return useContext(FeedStateContext)
}

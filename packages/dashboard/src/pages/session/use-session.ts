import { type AgentView, emptyAgentView, foldAgentUpdate } from '@statewright/core/internal'
import type { Session } from '@statewright/core/wire'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { followSession } from '../../api/feed/session-stream.ts'
import { foldLanes, type Lanes, noLanes } from '../../model/sessions/session-lanes.ts'

export interface SessionStory {
  readonly view: AgentView
  readonly lanes: Lanes
  readonly connection: 'connecting' | 'live' | 'lost' | 'over'
}

/** A session as its events tell it, from the first to the newest. */
export function useSession(sessionId: string, now: Session | undefined): SessionStory {
  const client = useQueryClient()
  const [story, setStory] = useState<SessionStory>(() => ({
    view: emptyAgentView(sessionId),
    lanes: noLanes,
    connection: 'connecting',
  }))
  const seen = useRef({ view: story.view, lanes: noLanes, position: '0' })
  const isOver = story.connection === 'over'
  // Somebody resumed it: what the server says is newer than the end that was seen here.
  const isResumed =
    isOver && now?.kind !== 'stopped' && Number(now?.lastEventId) > Number(seen.current.position)
  const isFollowed = !isOver || isResumed
  useEffect(() => {
    if (!isFollowed) return
    let connection: SessionStory['connection'] = 'connecting'
    const close = followSession(sessionId, seen.current.position, {
      onUpdates: (updates, position) => {
        const view = updates.reduce(foldAgentUpdate, seen.current.view)
        const lanes = updates.reduce(foldLanes, seen.current.lanes)
        seen.current = { view, lanes, position }
        // Nothing follows the end, and a connection that nothing comes over is one too many.
        if (view.state === 'stopped') {
          connection = 'over'
          close()
        }
        setStory({ view, lanes, connection })
        const isOther = updates.some(({ event }) => event.type === 'state_changed')
        // What was said in full, and what may be retried, changes only with the state.
        if (isOther) void client.invalidateQueries({ queryKey: ['session', sessionId] })
      },
      onState: (state) => {
        connection = state
        setStory({ view: seen.current.view, lanes: seen.current.lanes, connection })
      },
    })
    return close
  }, [client, sessionId, isFollowed])
  return story
}

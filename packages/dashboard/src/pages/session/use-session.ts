import { type AgentView, emptyAgentView, foldAgentUpdate } from '@statewright/core/internal'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { followSession } from '../../api/session-stream.ts'
import { foldLanes, type Lanes, noLanes } from '../../model/session-lanes.ts'

export interface SessionStory {
  readonly view: AgentView
  readonly lanes: Lanes
  readonly connection: 'connecting' | 'live' | 'lost' | 'over'
}

/** A session as its events tell it, from the first to the newest. */
export function useSession(sessionId: string): SessionStory {
  const client = useQueryClient()
  const [story, setStory] = useState<SessionStory>(() => ({
    view: emptyAgentView(sessionId),
    lanes: noLanes,
    connection: 'connecting',
  }))
  useEffect(() => {
    let view = emptyAgentView(sessionId)
    let lanes = noLanes
    let connection: SessionStory['connection'] = 'connecting'
    const close = followSession(sessionId, {
      onUpdates: (updates) => {
        view = updates.reduce(foldAgentUpdate, view)
        lanes = updates.reduce(foldLanes, lanes)
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
        setStory({ view, lanes, connection })
      },
    })
    return close
  }, [client, sessionId])
  return story
}

import type { AgentUpdate } from '@statewright/core/internal'
import { endpoints, readUpdate, requestFor } from '@statewright/core/wire'

export interface SessionEars {
  /** Everything that came since the last time, in order; never empty. Then the id of the last. */
  readonly onUpdates: (updates: readonly AgentUpdate[], position: string) => void
  readonly onState: (state: 'live' | 'lost') => void
}

/** A burst of words is drawn once instead of word by word. */
const gatherMs = 16
const firstPauseMs = 250
const longestPauseMs = 5000

/**
 * Follows a session from an event on, `0` from the first, over lost connections and restarts. A
 * hidden tab lets go of its connection and goes on later from where it was: a browser has six for
 * one server, and tabs that nobody looks at must not take them from those that somebody does.
 */
export function followSession(sessionId: string, from: string, ears: SessionEars): () => void {
  let position = from
  let pauseMs = firstPauseMs
  let source: EventSource | undefined
  let again: ReturnType<typeof setTimeout> | undefined
  let gathering: ReturnType<typeof setTimeout> | undefined
  let gathered: AgentUpdate[] = []
  let isClosed = false

  const tell = () => {
    gathering = undefined
    const updates = gathered
    gathered = []
    if (updates.length > 0 && !isClosed) ears.onUpdates(updates, position)
  }
  const take = (channel: AgentUpdate['channel']) => (event: MessageEvent<string>) => {
    position = event.lastEventId || position
    const update = readUpdate(channel, event.data)
    if (update === undefined) return
    gathered.push(update)
    gathering ??= setTimeout(tell, gatherMs)
  }
  const letGo = () => {
    clearTimeout(again)
    source?.close()
    source = undefined
  }
  const open = () => {
    letGo()
    const sent = { params: { id: sessionId }, query: { from: position } }
    const opened = new EventSource(requestFor(endpoints.readSession, sent).path)
    source = opened
    opened.onopen = () => {
      pauseMs = firstPauseMs
      ears.onState('live')
    }
    opened.addEventListener('agent:state_event', take('agent:state_event'))
    opened.addEventListener('agent:stream_event', take('agent:stream_event'))
    opened.addEventListener('agent:output_event', take('agent:output_event'))
    // The browser tries again by itself, but not after a refusal, as of a server that starts.
    opened.onerror = () => {
      letGo()
      ears.onState('lost')
      again = setTimeout(open, pauseMs)
      pauseMs = Math.min(longestPauseMs, pauseMs * 2)
    }
  }
  const onVisibility = () => (document.hidden ? letGo() : open())

  document.addEventListener('visibilitychange', onVisibility)
  if (!document.hidden) open()
  return () => {
    isClosed = true
    clearTimeout(gathering)
    document.removeEventListener('visibilitychange', onVisibility)
    letGo()
  }
}

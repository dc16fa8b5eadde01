import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentUpdate } from '@statewright/core/internal'
import { endpoints, readUpdate, requestFor } from '@statewright/core/wire'
import { serverEvents } from '../../sdk/server-events.ts'
import { connect } from '../api/client.ts'
import { orRefuse, say } from '../command.ts'

const firstPauseMs = 250
const longestPauseMs = 5000

/** Follows what a session tells, over lost connections and restarts, until it is aborted. */
export async function followSession(
  sessionId: string,
  after: string,
  take: (update: AgentUpdate) => void,
  signal: AbortSignal,
): Promise<void> {
  const request = requestFor(endpoints.readSession, { params: { id: sessionId } })
  let last = after
  let pauseMs = 0
  while (!signal.aborted) {
    // Looked for again each time: a server that came back may have another port.
    const opened = await orRefuse(connect()).open({
      ...request,
      headers: { accept: 'text/event-stream', 'last-event-id': last },
      signal,
    })
    if (signal.aborted) return
    if (opened.ok) {
      pauseMs = 0
      for await (const { id, event, data } of serverEvents(opened.value.body)) {
        last = id ?? last
        const update = readUpdate(event, data)
        if (update !== undefined) take(update)
      }
    } else if (opened.error.code !== 'server_unreachable') {
      orRefuse(opened)
    }
    if (signal.aborted) return
    say('The connection was lost; trying again.')
    pauseMs = Math.min(longestPauseMs, Math.max(firstPauseMs, pauseMs * 2))
    await sleep(pauseMs, undefined, { signal }).catch(() => {})
  }
}

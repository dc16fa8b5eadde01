import { setTimeout as sleep } from 'node:timers/promises'
import { AgentStateEvent, type AgentUpdate, StreamEvent } from '@statewright/core'
import { connect } from './client.ts'
import { orRefuse, say } from './command.ts'
import { serverEvents } from './feed.ts'
import { sessionPath } from './session-shapes.ts'

const firstPauseMs = 250
const longestPauseMs = 5000

/** Follows what a session tells, over lost connections and restarts, until it is aborted. */
export async function followSession(
  sessionId: string,
  after: string,
  take: (update: AgentUpdate) => void,
  signal: AbortSignal,
): Promise<void> {
  let last = after
  let pauseMs = 0
  while (!signal.aborted) {
    // Looked for anew each time: a server that came back may have another port.
    const opened = await orRefuse(connect()).open({
      path: sessionPath(sessionId, '/events'),
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

/** An update that this version does not understand is left out: a newer server may tell more. */
function readUpdate(channel: string | undefined, data: string): AgentUpdate | undefined {
  let value: unknown
  try {
    value = JSON.parse(data)
  } catch {
    return undefined
  }
  if (channel === 'agent:state_event') {
    const parsed = AgentStateEvent.safeParse(value)
    return parsed.success ? { channel, event: parsed.data } : undefined
  }
  if (channel !== 'agent:stream_event') return undefined
  const parsed = StreamEvent.safeParse(value)
  return parsed.success ? { channel, event: parsed.data } : undefined
}

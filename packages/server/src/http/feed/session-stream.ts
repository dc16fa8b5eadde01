import type { SessionBroker } from '../../orchestrator/broker/session-broker.ts'
import { eventStream, type StreamReading } from './event-stream.ts'

export const maxSessionReaders = 1000

const pageSize = 200

/** What a session told, as server-sent events with their names. */
export function sessionStream(
  reading: Pick<StreamReading, 'stillCounts' | 'signal'> & {
    readonly broker: SessionBroker
    readonly sessionId: string
    /** Place of the last update that was seen. */
    readonly after: number
  },
): ReadableStream<Uint8Array> {
  const { broker, sessionId, stillCounts, signal } = reading
  let position = reading.after
  const next = async () => {
    const page = await broker.updates(sessionId, position, pageSize)
    if (page.length === 0) return undefined
    position = page.at(-1)?.place ?? position
    const events = page.map(
      (one) => `id: ${one.place}\nevent: ${one.channel}\ndata: ${one.body}\n\n`,
    )
    return events.join('')
  }
  const watch = (wake: () => void) => broker.watch(sessionId, wake)
  return eventStream({ next, watch, gatherMs: 5, stillCounts, signal })
}

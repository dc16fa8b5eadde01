import type { OutputEvent } from '@statewright/core/internal'
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
  const seen = new Map<string, number>()
  const next = async () => {
    const page = await broker.updates(sessionId, position, pageSize)
    // Looked at after the page and told before it: what a run prints comes before its end.
    const printed = page.length < pageSize ? broker.printed(sessionId, seen) : []
    if (page.length + printed.length === 0) return undefined
    position = page.at(-1)?.place ?? position
    const events = page.map(
      (one) => `id: ${one.place}\nevent: ${one.channel}\ndata: ${one.body}\n\n`,
    )
    return [...printed.map(outputText), ...events].join('')
  }
  const watch = (wake: () => void) => broker.watch(sessionId, wake)
  return eventStream({ next, watch, gatherMs: 5, stillCounts, signal })
}

/** Without an id: it is not stored, and a reader goes on from the last update that is. */
function outputText(event: OutputEvent): string {
  return `event: agent:output_event\ndata: ${JSON.stringify(event)}\n\n`
}

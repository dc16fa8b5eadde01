import type { FeedStore, StoredEntry } from '../../store/store.ts'
import { eventStream, type StreamReading } from './event-stream.ts'
import type { FeedHub } from './feed-hub.ts'

export interface FeedReading extends Pick<StreamReading, 'stillCounts' | 'signal' | 'heartbeatMs'> {
  readonly feed: FeedStore
  readonly hub: FeedHub
  /** Where to begin: only what was committed after it is sent. */
  readonly position: string
  readonly mayRead: (entry: StoredEntry) => Promise<boolean>
  readonly render: (entry: StoredEntry) => object
}

const pageSize = 100

/** Committed entries as server-sent events. */
export function feedStream(reading: FeedReading): ReadableStream<Uint8Array> {
  const { feed, hub, mayRead, render, stillCounts, signal, heartbeatMs } = reading
  let { position } = reading
  const next = async () => {
    const page = await feed.after(position, pageSize)
    if (page.length === 0) return undefined
    position = page.at(-1)?.feedAt ?? position
    let text = ''
    for (const entry of page) {
      if (!(await mayRead(entry))) continue
      text += `id: ${entry.feedAt}\ndata: ${JSON.stringify(render(entry))}\n\n`
    }
    return text
  }
  const watch = (wake: () => void) => hub.subscribe(wake)
  return eventStream({ next, watch, gatherMs: 10, stillCounts, signal, heartbeatMs })
}

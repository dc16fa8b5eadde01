import { setTimeout as sleep } from 'node:timers/promises'
import type { FeedStore, StoredEntry } from '../../store/store.ts'
import { Bell } from './bell.ts'
import type { FeedHub } from './feed-hub.ts'

export interface FeedReading {
  readonly feed: FeedStore
  readonly hub: FeedHub
  /** Where to begin: only what was committed after it is sent. */
  readonly place: string
  readonly mayRead: (entry: StoredEntry) => Promise<boolean>
  /** Asked now and then: a revoked token's stream ends. */
  readonly stillCounts: () => Promise<boolean>
  readonly render: (entry: StoredEntry) => object
  /** Aborted when the reader has gone or the server stops. */
  readonly signal: AbortSignal
  readonly heartbeatMs?: number
}

const pageSize = 100
/** A burst of commits is read at once instead of one by one. */
const gatherMs = 10
const usualHeartbeatMs = 15_000

/**
 * Committed entries as server-sent events. Nothing is read from the store before the reader has
 * taken what came before, so that a slow one costs no memory.
 */
export function feedStream(reading: FeedReading): ReadableStream<Uint8Array> {
  const { feed, hub, signal, heartbeatMs = usualHeartbeatMs } = reading
  const encoder = new TextEncoder()
  const bell = new Bell()
  let { place } = reading
  let leave = () => {}

  const nextText = async (): Promise<string | undefined> => {
    while (!signal.aborted) {
      bell.reset()
      const page = await feed.after(place, pageSize)
      place = page[page.length - 1]?.feedAt ?? place
      const text = await eventsOf(page, reading)
      if (text !== '') return text
      if (page.length > 0) continue
      if (await bell.rungWithin(heartbeatMs, signal)) {
        await sleep(gatherMs)
        continue
      }
      if (signal.aborted || !(await reading.stillCounts())) return undefined
      return ': still here\n\n'
    }
    return undefined
  }

  return new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(encoder.encode('retry: 1000\n\n'))
      leave = await hub.subscribe(() => bell.ring())
    },
    async pull(controller) {
      const text = await nextText()
      if (text !== undefined) return controller.enqueue(encoder.encode(text))
      leave()
      controller.close()
    },
    cancel() {
      leave()
      bell.ring()
    },
  })
}

async function eventsOf(page: readonly StoredEntry[], reading: FeedReading): Promise<string> {
  let text = ''
  for (const entry of page) {
    if (!(await reading.mayRead(entry))) continue
    text += `id: ${entry.feedAt}\ndata: ${JSON.stringify(reading.render(entry))}\n\n`
  }
  return text
}

import { endpoints, FeedEntry, requestFor } from '@statewright/core/wire'
import { type FeedMessage, SeenEntries } from '../../model/runs/seen-entries.ts'

export type FeedState = 'connecting' | 'live' | 'lost'

export interface FeedEars {
  readonly onEntry: (entry: FeedEntry) => void
  /** What happened before this moment may have been missed: read everything again. */
  readonly onGap: () => void
  readonly onState: (state: FeedState) => void
}

type Word =
  | { readonly kind: 'entry'; readonly message: FeedMessage<FeedEntry> }
  | { readonly kind: 'state'; readonly state: FeedState }
  | { readonly kind: 'gap' }
  | { readonly kind: 'hello' }

const channelName = 'statewright-feed'
const longestWaitMs = 5000

/**
 * The feed for all tabs of this browser over one connection: browsers keep only six per server,
 * and a seventh tab would wait for ever. The tab that holds the lock reads and tells the others;
 * when it goes, the next one goes on from the place that it heard last.
 */
export function openFeed(ears: FeedEars): () => void {
  const channel = new BroadcastChannel(channelName)
  const closing = new AbortController()
  const seen = new SeenEntries()
  let position = positionOfPage()
  let state: FeedState = 'connecting'
  let leads = false

  const setState = (next: FeedState) => {
    if (leads) channel.postMessage({ kind: 'state', state: next } satisfies Word)
    if (state === next) return
    state = next
    ears.onState(next)
  }
  const take = ({ id, entry }: FeedMessage<FeedEntry>) => {
    position = id
    if (seen.take(entry)) ears.onEntry(entry)
  }

  channel.onmessage = ({ data }: MessageEvent<Word>) => {
    if (data.kind === 'hello') {
      if (leads) channel.postMessage({ kind: 'state', state } satisfies Word)
    } else if (data.kind === 'state') {
      setState(data.state)
    } else if (data.kind === 'gap') {
      ears.onGap()
    } else take(data.message)
  }
  channel.postMessage({ kind: 'hello' } satisfies Word)

  const lead = async () => {
    leads = true
    let waitMs = 250
    while (!closing.signal.aborted) {
      const from = position
      const wasOpen = await readOnce({
        from,
        signal: closing.signal,
        onOpen: () => {
          // Without a place it begins at the end: what came before was not heard by anybody.
          if (from === undefined) {
            channel.postMessage({ kind: 'gap' } satisfies Word)
            ears.onGap()
          }
          setState('live')
        },
        onMessage: (message) => {
          channel.postMessage({ kind: 'entry', message } satisfies Word)
          take(message)
        },
      })
      setState('lost')
      waitMs = wasOpen ? 250 : Math.min(longestWaitMs, waitMs * 2)
      await pause(waitMs, closing.signal)
    }
  }
  void navigator.locks
    .request(channelName, { signal: closing.signal }, lead)
    // The wait for the lock was given up, because the page closes its feed.
    .catch(() => undefined)

  return () => {
    closing.abort()
    channel.close()
  }
}

/**
 * Where the feed stood when the server sent this page: whatever the page asked for is no older. A
 * page that the browser had kept says nothing of now.
 */
function positionOfPage(): string | undefined {
  const [load] = performance.getEntriesByType('navigation')
  if (!(load instanceof PerformanceNavigationTiming) || load.transferSize === 0) return undefined
  // Left out by browsers that keep it from pages without TLS.
  return load.serverTiming?.find(({ name }) => name === 'feed')?.description || undefined
}

interface Reading {
  readonly from: string | undefined
  readonly signal: AbortSignal
  readonly onOpen: () => void
  readonly onMessage: (message: FeedMessage<FeedEntry>) => void
}

/** Reads until the connection breaks; true when it was open at all. */
function readOnce({ from, signal, onOpen, onMessage }: Reading): Promise<boolean> {
  return new Promise((resolve) => {
    const source = new EventSource(requestFor(endpoints.readFeed, { query: { from } }).path)
    let wasOpen = false
    const end = () => {
      source.close()
      signal.removeEventListener('abort', end)
      resolve(wasOpen)
    }
    signal.addEventListener('abort', end)
    source.onopen = () => {
      wasOpen = true
      onOpen()
    }
    source.onmessage = ({ data, lastEventId }: MessageEvent<string>) => {
      const entry = readEntry(data)
      if (entry !== undefined) onMessage({ id: lastEventId, entry })
    }
    // The browser would try again by itself, but not after a refusal, and not from another place.
    source.onerror = end
  })
}

/** One that cannot be read is left out: the next one of its run brings all up to date. */
function readEntry(data: string): FeedEntry | undefined {
  try {
    return FeedEntry.parse(JSON.parse(data))
  } catch (fault) {
    console.warn(
      'The server sent an update that this page does not understand. Reload the page.',
      fault,
    )
    return undefined
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
}

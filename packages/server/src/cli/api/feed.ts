import { setTimeout as sleep } from 'node:timers/promises'
import { ok, type Problem, type Result } from '@statewright/core/internal'
import { endpoints, FeedEntry, requestFor } from '@statewright/core/wire'
import { serverEvents } from '../../sdk/server-events.ts'
import { say } from '../command.ts'
import { connect } from './client.ts'

const firstPauseMs = 250
const longestPauseMs = 5000

/**
 * Follows the feed for as long as `take` wants more. A lost connection is taken up again where it
 * broke off; only a server that was never there, or that refuses us, ends it.
 */
export async function followFeed(options: {
  /** 0 for everything there is; from now on when absent. */
  readonly from?: string
  /** Asked whenever a connection stands, before its first entry; false when that was enough. */
  readonly connected?: () => Promise<boolean>
  readonly take: (entry: FeedEntry) => boolean
}): Promise<Result<void, Problem>> {
  // Lost before the first entry came, there is no place to go on from: the whole feed is read
  // then, and what was there before we came is left out.
  const since = options.from === undefined ? Date.now() : 0
  let { from } = options
  let last: string | undefined
  let pauseMs = 0
  for (;;) {
    const opened = await open(last, from)
    if (!opened.ok) {
      if (pauseMs === 0 || opened.error.code !== 'server_unreachable') return opened
    } else {
      pauseMs = firstPauseMs
      if ((await options.connected?.()) === false) return ok(undefined)
      for await (const { id, data } of serverEvents(opened.value)) {
        const entry = readEntry(data)
        last = id ?? last
        if (entry === undefined || entry.at < since) continue
        if (!options.take(entry)) return ok(undefined)
      }
    }
    from ??= '0'
    say('The connection was lost; trying again.')
    await sleep(pauseMs)
    pauseMs = Math.min(longestPauseMs, pauseMs * 2)
  }
}

async function open(
  last: string | undefined,
  from: string | undefined,
): Promise<Result<ReadableStream<Uint8Array>, Problem>> {
  // Looked for again each time: a server that came back may have another port.
  const client = connect()
  if (!client.ok) return client
  const query = last === undefined ? { from } : {}
  const headers = {
    accept: 'text/event-stream',
    ...(last === undefined ? {} : { 'last-event-id': last }),
  }
  const opened = await client.value.open({ ...requestFor(endpoints.readFeed, { query }), headers })
  if (!opened.ok) return opened
  return ok(opened.value.body ?? new ReadableStream())
}

function readEntry(data: string): FeedEntry | undefined {
  try {
    const parsed = FeedEntry.safeParse(JSON.parse(data))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}

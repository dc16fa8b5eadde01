import { z } from 'zod'
import { seesRunOf } from '../../runtime/scope.ts'
import { identify } from '../door/identify.ts'
import { type Reply, refuse } from '../door/reply.ts'
import { type Call, type Route, route } from '../door/route.ts'
import { mostReaders } from '../feed/feed-hub.ts'
import { feedStream } from '../feed/feed-stream.ts'
import { wireEntry } from './wire.ts'

const Place = z.string().regex(/^[0-9a-zA-Z:._-]{1,100}$/, 'an id that the feed gave')
const From = z.object({ from: Place.optional().describe('0 for everything there is.') })
type From = z.infer<typeof From>

export const feedRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/feed',
    who: 'agent',
    summary: 'Server-sent events of committed entries; an agent sees those of its runs.',
    query: From,
    answers: { 200: 'text' },
    handle: feed,
  }),
]

async function feed(call: Call<undefined, From>): Promise<Reply> {
  const { parts, caller, request, query } = call
  const { runtime, feedHub: hub } = parts
  if (hub.readers >= mostReaders) {
    return refuse('too_many_requests', 'Too many read the feed already.')
  }
  const last = request.headers.get('last-event-id')
  if (last !== null && !Place.safeParse(last).success) {
    return refuse('usage', 'That is no id of the feed.', { where: 'Last-Event-ID' })
  }
  const place = last ?? query.from ?? (await runtime.store.feed.head())
  const payload = feedStream({
    feed: runtime.store.feed,
    hub,
    place,
    mayRead: ({ runId }) => seesRunOf(runtime, caller, runId),
    stillCounts: async () => (await identify(parts, request.headers)) !== undefined,
    render: (entry) => ({ run_id: entry.runId, ...wireEntry(entry) }),
    signal: AbortSignal.any([request.signal, parts.stopping]),
  })
  const headers = { 'x-accel-buffering': 'no' }
  return { status: 200, type: 'text/event-stream', payload, headers }
}

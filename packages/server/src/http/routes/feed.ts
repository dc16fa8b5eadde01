import { endpoints, FeedPlace } from '@statewright/core/wire'
import { seesRunOf } from '../../runtime/runs/scope.ts'
import { maxReaders } from '../feed/feed-hub.ts'
import { feedStream } from '../feed/feed-stream.ts'
import { identify } from '../pipeline/identify.ts'
import { type Reply, refuse } from '../pipeline/reply.ts'
import { type CallOf, type Route, serve } from '../pipeline/route.ts'
import { wireEntry } from './wire.ts'

export const feedRoutes: readonly Route[] = [serve(endpoints.readFeed, feed)]

async function feed(call: CallOf<typeof endpoints.readFeed>): Promise<Reply> {
  const { server, caller, request, query } = call
  const { runtime, feedHub: hub } = server
  if (hub.readers >= maxReaders) {
    return refuse('too_many_requests', 'Too many clients are reading the feed.')
  }
  const last = request.headers.get('last-event-id')
  if (last !== null && !FeedPlace.safeParse(last).success) {
    return refuse('usage', 'This is not an id of the feed.', { where: 'Last-Event-ID' })
  }
  const position = last ?? query.from ?? (await runtime.store.feed.head())
  const payload = feedStream({
    feed: runtime.store.feed,
    hub,
    position,
    mayRead: ({ runId }) => seesRunOf(runtime, caller, runId),
    stillCounts: async () => (await identify(server, request.headers)) !== undefined,
    render: (entry) => ({ run_id: entry.runId, ...wireEntry(entry) }),
    signal: AbortSignal.any([request.signal, server.stopping]),
  })
  const headers = { 'x-accel-buffering': 'no' }
  return { status: 200, type: 'text/event-stream', payload, headers }
}

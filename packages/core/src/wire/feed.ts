import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { EntryLine } from './entry.ts'

export const FeedPlace = z.string().regex(/^[0-9a-zA-Z:._-]{1,100}$/, 'an id that the feed gave')

/** What one event of the feed holds: an entry, and whose it is. */
export const FeedEntry = z.intersection(EntryLine, z.object({ run_id: z.string() }))
export type FeedEntry = z.infer<typeof FeedEntry>

export const feedEndpoints = {
  readFeed: endpoint({
    method: 'GET',
    path: '/api/feed',
    who: 'agent',
    summary: 'Server-sent events of committed entries; an agent sees those of its runs.',
    query: z.strictObject({ from: FeedPlace.optional().describe('0 for everything there is.') }),
    answers: { 200: 'text' },
  }),
}

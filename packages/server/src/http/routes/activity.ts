import { endpoints } from '@statewright/core/wire'
import { readActivity } from '../../reports/activity.ts'
import { refuse } from '../pipeline/reply.ts'
import { type Route, serve } from '../pipeline/route.ts'

const dayMs = 24 * 3_600_000
const longestMs = 92 * dayMs

export const activityRoutes: readonly Route[] = [
  serve(endpoints.getActivity, async ({ server, query }, reply) => {
    const to = query.to ?? server.runtime.clock.now()
    const from = query.from ?? Math.max(0, to - dayMs)
    if (from >= to || to - from > longestMs) {
      const next = 'ask for at most 92 days, with "from" before "to".'
      return refuse('usage', 'This is not a valid period.', { where: 'from', next })
    }
    return reply(200, await readActivity(server.runtime, { from, to }))
  }),
]

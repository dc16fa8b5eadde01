import { z } from 'zod'
import { readActivity } from '../../runtime/activity.ts'
import { json, refuse } from '../door/reply.ts'
import { type Route, route } from '../door/route.ts'

const dayMs = 24 * 3_600_000
const longestMs = 92 * dayMs

const Time = z.coerce.number().int().min(0).max(8_640_000_000_000_000)
const Window = z.object({
  from: Time.optional().describe('Epoch milliseconds; a day before `to` unless told.'),
  to: Time.optional().describe('Epoch milliseconds; now unless told.'),
})

const Ranked = z.array(
  z.looseObject({ count: z.number(), run_id: z.string().describe('The newest run of these.') }),
)

export const activityRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/activity',
    who: 'person',
    summary: 'What happened over time and where agents were denied, from the newest entries.',
    query: Window,
    answers: {
      200: z.object({
        from: z.number(),
        to: z.number(),
        slot_ms: z.number(),
        slots: z.array(z.looseObject({ at: z.number() })),
        denials: z.object({ rules: Ranked, codes: Ranked, places: Ranked, tools: Ranked }),
        approvals: z.looseObject({ opened: z.number() }),
      }),
    },
    handle: async ({ parts, query }) => {
      const to = query.to ?? parts.runtime.clock.now()
      const from = query.from ?? Math.max(0, to - dayMs)
      if (from >= to || to - from > longestMs) {
        const next = 'ask for at most 92 days, and for "from" before "to".'
        return refuse('usage', 'That is no stretch of time to show.', { where: 'from', next })
      }
      return json(200, await readActivity(parts.runtime, { from, to }))
    },
  }),
]

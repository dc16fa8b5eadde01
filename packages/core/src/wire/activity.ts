import { z } from 'zod'
import { endpoint } from './endpoint.ts'

const TimeInQuery = z.coerce.number<number | string>().int().min(0).max(8_640_000_000_000_000)

export const ActivitySlot = z.object({
  at: z.number(),
  allowed: z.number(),
  passed: z.number(),
  asked: z.number(),
  denied: z.number(),
  transitioned: z.number(),
  refused: z.number(),
  cost_usd: z.number(),
  approval_wait_ms: z
    .number()
    .nullable()
    .describe('Median time until a person answered; null when nobody did.'),
})
export type ActivitySlot = z.infer<typeof ActivitySlot>

function ranked<Shape extends z.ZodRawShape>(shape: Shape) {
  const counted = { count: z.number(), run_id: z.string().describe('The newest run of these.') }
  return z.array(z.object({ ...shape, ...counted }))
}

/** What happened in a stretch of time, as charts want it: every slot, also the empty ones. */
export const Activity = z.object({
  from: z.number(),
  to: z.number(),
  slot_ms: z.number(),
  slots: z.array(ActivitySlot),
  denials: z.object({
    rules: ranked({ workflow: z.string(), rule: z.string(), code: z.string() }),
    codes: ranked({ code: z.string() }),
    places: ranked({ workflow: z.string(), state: z.string() }),
    tools: ranked({ tool: z.string(), code: z.string() }),
  }),
  approvals: z.object({
    opened: z.number(),
    approved: z.number(),
    rejected: z.number(),
    expired: z.number(),
    waiting: z.number(),
    median_ms: z.number().nullable(),
    slow_ms: z.number().nullable(),
  }),
})
export type Activity = z.infer<typeof Activity>

export const activityEndpoints = {
  getActivity: endpoint({
    method: 'GET',
    path: '/api/activity',
    who: 'person',
    summary: 'What happened over time and where agents were denied, from the newest entries.',
    query: z.strictObject({
      from: TimeInQuery.optional().describe('Epoch milliseconds; by default a day before `to`.'),
      to: TimeInQuery.optional().describe('Epoch milliseconds; by default now.'),
    }),
    answers: { 200: Activity },
  }),
}
